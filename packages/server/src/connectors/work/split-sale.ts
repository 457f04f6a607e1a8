import type { Amount, Sale } from '../movement.ts';

/** Part of a sale: one item and one creator. */
export interface SaleRow {
  code: string;
  skuId: string | null;
  description: string | null;
  subtotalMinor: bigint;
  totalMinor: bigint;
}

/** Part of a purchase that a creator is credited with. */
export interface CodeShare {
  code: string;
  /** Whole percents. Those of a purchase add up to 100. */
  percent: bigint;
}

/** Maximum number of creators of a purchase, and of its rows. */
const maxCreators = 20;
const maxRows = 1_000;

/**
 * Reads the creators of a purchase: a code, or codes with whole percents such as `ALICE:70,BOB:30`. The last one gets the rest.
 * @returns null if the text is neither
 */
export function readCodes(text: string): CodeShare[] | null {
  const parts = text.split(',').map((part) => part.trim());
  if (parts.length > maxCreators) return null;
  let left = 100n;
  const shares: CodeShare[] = [];
  for (const [index, part] of parts.entries()) {
    const [, code = '', percent] = /^([^:]+?)\s*(?::\s*(\d{1,3}))?$/.exec(part) ?? [];
    if (code === '') return null;
    const isLast = index === parts.length - 1;
    if (!isLast && percent === undefined) return null;
    const share = isLast ? left : BigInt(percent ?? 0);
    left -= share;
    if (share <= 0n || left < 0n) return null;
    shares.push({ code, percent: share });
  }
  return shares;
}

/**
 * Spreads an amount by weights. The parts add up to the amount: what rounding leaves goes to the largest remainders.
 * @param weights at least one, and not all zero
 */
export function spread(amountMinor: bigint, weights: readonly bigint[]): bigint[] {
  const sum = weights.reduce((total, each) => total + each, 0n);
  const parts = weights.map((weight) => (amountMinor * weight) / sum);
  const remainders = weights.map((weight, index) => ({ index, remainder: (amountMinor * weight) % sum }));
  remainders.sort((one, other) =>
    one.remainder === other.remainder ? 0 : one.remainder > other.remainder ? -1 : 1,
  );
  const missing = Number(amountMinor - parts.reduce((total, each) => total + each, 0n));
  for (const { index } of remainders.slice(0, missing)) parts[index] = (parts[index] ?? 0n) + 1n;
  return parts;
}

/**
 * Splits a sale into a row for each item and creator. A discount is spread over the items by their prices. Items and creators whose
 * part is nothing have no row.
 */
export function splitSale(
  { subtotal, total, items, description }: Pick<Sale, 'subtotal' | 'total' | 'items' | 'description'>,
  shares: readonly CodeShare[],
): SaleRow[] {
  const priced = items.filter(({ weight }) => weight > 0n);
  const whole = {
    skuId: items.length === 1 ? (items[0]?.skuId ?? null) : null,
    name: description,
    weight: 1n,
  };
  const parts = priced.length === 0 || priced.length * shares.length > maxRows ? [whole] : priced;
  const subtotals = spread(
    subtotal.minor,
    parts.map(({ weight }) => weight),
  );
  return withTotals(
    total,
    parts.flatMap((part, index) =>
      spread(
        subtotals[index] ?? 0n,
        shares.map(({ percent }) => percent),
      ).map((subtotalMinor, creator) => ({
        code: shares[creator]?.code ?? '',
        skuId: part.skuId,
        description: part.name ?? (parts.length === 1 ? description : null) ?? part.skuId ?? description,
        subtotalMinor,
      })),
    ),
  );
}

function withTotals(total: Amount, rows: readonly Omit<SaleRow, 'totalMinor'>[]): SaleRow[] {
  const kept = rows.filter(({ subtotalMinor }) => subtotalMinor > 0n);
  if (kept.length === 0) return [];
  const totals = spread(
    total.minor,
    kept.map(({ subtotalMinor }) => subtotalMinor),
  );
  return kept.map((row, index) => ({ ...row, totalMinor: totals[index] ?? 0n }));
}
