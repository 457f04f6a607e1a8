import type { AttributionId } from '../../platform/database/tables.generated.ts';
import { divideHalfEven } from '../../platform/percent.ts';
import { Refusal } from '../../platform/refusal.ts';

/** Row of a purchase, with what has been taken back from it so far. */
export interface RefundableRow {
  attributionId: AttributionId;
  isTest: boolean;
  currency: string;
  subtotalMinor: bigint;
  shareMinor: bigint;
  refundedMinor: bigint;
  reversedMinor: bigint;
  /** True if the row is in a payout. */
  isAssigned: boolean;
}

/** Amounts to refund, excluding tax, in minor units of the rows' currency. */
export interface RequestedAmounts {
  /** Null for all that is left of the chosen rows. */
  amountMinor: bigint | null;
  /** Rows to refund, each with its amount or with null for all that is left of it; null for all rows. */
  rows: readonly { id: string; amountMinor: bigint | null }[] | null;
}

/** Part of a row that a refund takes back. */
export interface RefundPart<Row extends RefundableRow = RefundableRow> {
  row: Row;
  grossMinor: bigint;
  shareMinor: bigint;
  /** True if nothing is left of the row. */
  isLast: boolean;
}

/**
 * Decides which part of each row a refund takes back.
 * @throws Refusal InvalidInput when the amounts don't fit the rows, Conflict when a row is a test or is in a
 *   payout
 */
export function planRefund<Row extends RefundableRow>(
  rows: readonly Row[],
  requested: RequestedAmounts,
): RefundPart<Row>[] {
  const amounts = requested.rows === null ? spread(rows, requested.amountMinor) : chosen(rows, requested);
  const parts = rows.flatMap((row) => {
    const grossMinor = amounts.get(row) ?? 0n;
    return grossMinor === 0n ? [] : [partOf(row, grossMinor)];
  });
  if (parts.length === 0) throw invalid('The purchase has nothing left to refund.');
  if (parts.some(({ row }) => row.isAssigned))
    throw new Refusal(
      'Conflict',
      'A record of this transaction was already paid out, so nothing was refunded. Refund the other records by listing their ids in rows, and claw back the one that was paid out.',
    );
  return parts;
}

/**
 * Calculates a part's share. Together, a row's parts take back the share in proportion to the refunded subtotal,
 * rounded half-even, so that parts that add up to the subtotal take back the whole share to the cent.
 */
export function partOf<Row extends RefundableRow>(row: Row, grossMinor: bigint): RefundPart<Row> {
  const refundedMinor = row.refundedMinor + grossMinor;
  const reversedMinor = divideHalfEven(row.shareMinor * refundedMinor, row.subtotalMinor);
  return {
    row,
    grossMinor,
    shareMinor: reversedMinor - row.reversedMinor,
    isLast: refundedMinor === row.subtotalMinor,
  };
}

type Amounts = ReadonlyMap<RefundableRow, bigint>;

const leftOf = (row: RefundableRow): bigint => row.subtotalMinor - row.refundedMinor;

/** Spreads an amount over all rows in proportion to what is left of them, by the largest remainder. */
function spread(rows: readonly RefundableRow[], amountMinor: bigint | null): Amounts {
  const real = rows.filter(({ isTest }) => !isTest);
  if (real.length === 0) throw testOnly();
  if (amountMinor === null) return new Map(real.map((row) => [row, leftOf(row)]));
  if (new Set(real.map(({ currency }) => currency)).size > 1)
    throw invalid(
      'The records of this transaction are in several currencies. Send the amount of each record in rows.',
      ['amount'],
    );
  const left = real.reduce((sum, row) => sum + leftOf(row), 0n);
  if (amountMinor > left) throw tooMuch(amountMinor, left, ['amount']);
  const shares = real.map((row) => {
    const product = amountMinor * leftOf(row);
    return { row, amount: product / left, remainder: product % left };
  });
  let missing = amountMinor - shares.reduce((sum, { amount }) => sum + amount, 0n);
  const byRemainder = [...shares].sort((one, other) =>
    one.remainder === other.remainder ? 0 : one.remainder > other.remainder ? -1 : 1,
  );
  for (const each of byRemainder) {
    if (missing === 0n) break;
    each.amount += 1n;
    missing -= 1n;
  }
  return new Map(shares.map(({ row, amount }) => [row, amount]));
}

/** Returns the amounts of the rows that the request names. */
function chosen(rows: readonly RefundableRow[], { rows: named, amountMinor }: RequestedAmounts): Amounts {
  const byId = new Map(rows.map((row) => [row.attributionId as string, row]));
  const amounts = new Map<RefundableRow, bigint>();
  for (const [index, { id, amountMinor: wanted }] of (named ?? []).entries()) {
    const path = ['rows', String(index)];
    const row = byId.get(id);
    if (row === undefined) throw invalid(`The transaction has no record ${id}.`, [...path, 'id']);
    if (amounts.has(row)) throw invalid(`The record ${id} is named twice.`, [...path, 'id']);
    if (row.isTest) throw testOnly();
    const left = leftOf(row);
    if (left === 0n) throw invalid(`The record ${id} has nothing left to refund.`, [...path, 'id']);
    if (wanted !== null && wanted > left) throw tooMuch(wanted, left, [...path, 'amount']);
    amounts.set(row, wanted ?? left);
  }
  const sum = [...amounts.values()].reduce((total, each) => total + each, 0n);
  if (amountMinor !== null && amountMinor !== sum)
    throw invalid(`amount is ${amountMinor}, but the amounts in rows add up to ${sum}.`, ['amount']);
  return amounts;
}

const invalid = (message: string, path: string[] = []): Refusal =>
  new Refusal('InvalidInput', message, path.length === 0 ? {} : { path });

const tooMuch = (wanted: bigint, left: bigint, path: string[]): Refusal =>
  invalid(
    left === 0n
      ? 'The purchase has nothing left to refund.'
      : `The amount is ${wanted}, but only ${left} is left to refund. Nothing was refunded.`,
    path,
  );

const testOnly = (): Refusal =>
  new Refusal(
    'Conflict',
    'A record with the status Test earns nothing, so no part of it can be refunded. Change its status instead.',
  );
