import type { Row, Taking } from './records.ts';

/** Takes back a part of a row. All parts together equal the amount times the refunded fraction of the subtotal. */
export function takeBack(
  row: Row,
  gross: bigint,
  { from, isWhole }: { from: Taking; isWhole: boolean },
): void {
  from.rows.add(row);
  row.takings.push({ from, isWhole, gross });
  row.refundRecords += 1;
  row.refunded += gross;
  row.taken = halfEven(row.amount * row.refunded, row.subtotal);
  row.isReversed = row.refunded === row.subtotal;
}

/** Spreads an amount over rows by what is left of them. @returns the status of the response if that can't be done */
export function spread(purchase: readonly Row[], amount: bigint | null): Map<Row, bigint | null> | 400 | 409 {
  const rows = purchase.filter(({ isTest }) => !isTest);
  if (rows.length === 0) return 409;
  if (amount === null) return new Map(rows.map((row) => [row, null]));
  const left = rows.reduce((sum, { subtotal, refunded }) => sum + subtotal - refunded, 0n);
  if (new Set(rows.map(({ currency }) => currency)).size > 1 || amount > left) return 400;
  const exact = rows.map((row) => ({ row, scaled: amount * (row.subtotal - row.refunded) }));
  const whole = exact.reduce((sum, { scaled }) => sum + scaled / left, 0n);
  const up = new Set(
    [...exact.entries()]
      .sort(([at, one], [otherAt, other]) => {
        const difference = (other.scaled % left) - (one.scaled % left);
        return difference === 0n ? at - otherAt : difference > 0n ? 1 : -1;
      })
      .slice(0, Number(amount - whole))
      .map(([, { row }]) => row),
  );
  return new Map(exact.map(({ row, scaled }) => [row, scaled / left + (up.has(row) ? 1n : 0n)]));
}

/** Divides and rounds to the nearest whole number. */
export const nearest = (dividend: bigint, divisor: bigint): bigint =>
  (2n * dividend + divisor) / (2n * divisor);

/** Divides and rounds to whole numbers, half to even. */
export function halfEven(dividend: bigint, divisor: bigint): bigint {
  const whole = dividend / divisor;
  const twice = 2n * (dividend - whole * divisor);
  if (twice === divisor) return whole + (whole & 1n);
  return twice > divisor ? whole + 1n : whole;
}
