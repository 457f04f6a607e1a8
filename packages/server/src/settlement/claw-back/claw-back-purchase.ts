import type { Actor } from '../../audit/actor.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AttributionId } from '../../platform/database/tables.generated.ts';
import { formatMinorUnits } from '../../platform/money.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { Reversal } from '../reverse-payment.ts';
import { clawBack } from './claw-back.ts';
import { type PaidRow, readPaidRows } from './read-paid-rows.ts';

export interface PurchaseClawback {
  publisherId: string;
  transactionId: string;
  /** IDs of the rows to claw back; null for all of the purchase's paid rows. */
  rows: readonly string[] | null;
  /** Amounts for rows that are clawed back only in part. */
  amounts: readonly { rowId: string; amountMinor: bigint }[];
  status: Reversal;
  reason: string | null;
  totalMinor: bigint;
}

export interface ClawbackOutcome {
  rowId: AttributionId;
  isTakenBack: boolean;
  amountMinor: bigint;
  currency: string;
  /** Reason the row was not clawed back; null if it was clawed back. */
  message: string | null;
}

/**
 * Claws back a purchase's paid rows, each in its own commit. If another caller has just clawed back one of them, the
 * rest are still clawed back.
 * @throws Refusal when a row doesn't belong to the purchase or can't be clawed back, or when the total isn't the
 * confirmed one
 */
export async function clawBackPurchase(
  parts: Parameters<typeof clawBack>[0],
  db: Db,
  actor: Actor,
  { publisherId, transactionId, rows: rowIds, amounts, status, reason, totalMinor }: PurchaseClawback,
): Promise<ClawbackOutcome[]> {
  const { rows } = await readPaidRows(db, publisherId, transactionId);
  const chosen = rowIds === null ? rows.filter(({ verdict }) => verdict === 'can') : choose(rows, rowIds);
  const parted = readAmounts(chosen, amounts);
  const wanted = chosen.map((row) => ({ ...row, amountMinor: parted.get(row.rowId) ?? row.shareMinor }));
  requireTotal(wanted, totalMinor);
  const outcomes: ClawbackOutcome[] = [];
  for (const { rowId, shareMinor: leftMinor, amountMinor, currency } of wanted) {
    const partMinor = parted.get(rowId) ?? null;
    try {
      await clawBack(parts, db, actor, { publisherId, row: rowId, status, reason, partMinor, leftMinor });
      outcomes.push({ rowId, isTakenBack: true, amountMinor, currency, message: null });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      outcomes.push({ rowId, isTakenBack: false, amountMinor, currency, message: error.message });
    }
  }
  return outcomes;
}

const problems = {
  'not paid': "isn't paid. Change its status instead.",
  'in a payout': "is in a payout that isn't paid. Cancel the payout, then change the row's status.",
  'went back': 'was already reversed.',
} as const;

function choose(rows: readonly PaidRow[], rowIds: readonly string[]): PaidRow[] {
  return [...new Set(rowIds)].map((id) => {
    const row = rows.find(({ rowId }) => rowId === id.toLowerCase());
    if (row === undefined) throw new Refusal('NotFound', `The purchase has no row ${id}.`);
    if (row.verdict !== 'can') throw new Refusal('Conflict', `Row ${id} ${problems[row.verdict]}`);
    return row;
  });
}

/** Returns the amounts by row. The error of an amount that is too high comes before the error about the total. */
function readAmounts(
  rows: readonly PaidRow[],
  amounts: PurchaseClawback['amounts'],
): ReadonlyMap<AttributionId, bigint> {
  const found = new Map<AttributionId, bigint>();
  for (const [index, { rowId, amountMinor }] of amounts.entries()) {
    const path = ['amounts', String(index)];
    const row = rows.find((each) => each.rowId === rowId.toLowerCase());
    if (row === undefined)
      throw new Refusal('InvalidInput', `Row ${rowId} is not among the rows to claw back.`, { path });
    if (found.has(row.rowId)) throw new Refusal('InvalidInput', `Row ${rowId} is named twice.`, { path });
    if (amountMinor < 1n || amountMinor > row.shareMinor)
      throw new Refusal(
        'InvalidInput',
        `Enter an amount from ${formatMinorUnits(1n, row.currency)} to ${formatMinorUnits(row.shareMinor, row.currency)} ${row.currency}, which is what is left of the amount paid for row ${rowId}. Nothing was clawed back.`,
        { path: [...path, 'amountMinor'] },
      );
    found.set(row.rowId, amountMinor);
  }
  return found;
}

function requireTotal(rows: readonly (PaidRow & { amountMinor: bigint })[], totalMinor: bigint): void {
  const [first] = rows;
  if (first === undefined)
    throw new Refusal('Conflict', "Couldn't claw back: the purchase has no paid rows left.");
  const { currency } = first;
  if (rows.some((row) => row.currency !== currency))
    throw new Refusal(
      'Conflict',
      'The rows are in several currencies. Claw them back one currency at a time.',
    );
  const actual = rows.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
  if (actual !== totalMinor)
    throw new Refusal(
      'Conflict',
      `The total of the rows is ${formatMinorUnits(actual, currency)} ${currency}, not ${formatMinorUnits(totalMinor, currency)}. ` +
        'Nothing was clawed back. Reload the rows and try again.',
      { path: ['totalMinor'] },
    );
}
