import type { Actor } from '../../audit/actor.ts';
import type { Operations } from '../../composition.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AttributionId } from '../../platform/database/tables.generated.ts';
import { formatMinorUnits } from '../../platform/money.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { Reversal } from '../../settlement/reverse-payment.ts';
import { type PaidRow, readPaidRows } from './read-clawbacks.ts';

export interface PurchaseClawback {
  publisherId: string;
  transactionId: string;
  /** Of its rows; null for all that are paid. */
  rows: readonly string[] | null;
  status: Reversal;
  reason: string | null;
  /** What is taken back of all of them, as whoever asks was shown. */
  totalMinor: bigint;
}

export interface ClawbackOutcome {
  rowId: AttributionId;
  isTakenBack: boolean;
  amountMinor: bigint;
  currency: string;
  /** Why it was not. */
  message: string | null;
}

/**
 * Takes back the money of the paid rows of a purchase, one by one: what somebody else took back meanwhile stops none of
 * the others.
 * @throws Refusal when a row is not one of the purchase's that can be taken back, or their total is another
 */
export async function clawBackPurchase(
  { db, clawBack }: { db: Db; clawBack: Operations['clawBack'] },
  actor: Actor,
  { publisherId, transactionId, rows: asked, status, reason, totalMinor }: PurchaseClawback,
): Promise<ClawbackOutcome[]> {
  const { rows } = await readPaidRows(db, publisherId, transactionId);
  const chosen = asked === null ? rows.filter(({ verdict }) => verdict === 'can') : choose(rows, asked);
  requireTotal(chosen, totalMinor);
  const outcomes: ClawbackOutcome[] = [];
  for (const { rowId, shareMinor: amountMinor, currency } of chosen) {
    try {
      await clawBack(db, actor, { publisherId, row: rowId, status, reason, amountMinor });
      outcomes.push({ rowId, isTakenBack: true, amountMinor, currency, message: null });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      outcomes.push({ rowId, isTakenBack: false, amountMinor, currency, message: error.message });
    }
  }
  return outcomes;
}

const whyNot = {
  'not paid': 'is not paid; change its status instead',
  'in a payout': 'is in a payout that is not paid; cancel the payout, and change its status',
  'went back': 'went back before',
} as const;

function choose(rows: readonly PaidRow[], asked: readonly string[]): PaidRow[] {
  return [...new Set(asked)].map((id) => {
    const row = rows.find(({ rowId }) => rowId === id.toLowerCase());
    if (row === undefined) throw new Refusal('NotFound', `The purchase has no row ${id}.`);
    if (row.verdict !== 'can') throw new Refusal('Conflict', `The row ${id} ${whyNot[row.verdict]}.`);
    return row;
  });
}

function requireTotal(rows: readonly PaidRow[], totalMinor: bigint): void {
  const [first] = rows;
  if (first === undefined)
    throw new Refusal('Conflict', 'Nothing of the purchase is paid, or it went back before.');
  const { currency } = first;
  if (rows.some((row) => row.currency !== currency))
    throw new Refusal(
      'Conflict',
      'The rows are in several currencies; take them back one currency at a time.',
    );
  const actual = rows.reduce((sum, { shareMinor }) => sum + shareMinor, 0n);
  if (actual !== totalMinor)
    throw new Refusal(
      'Conflict',
      `The rows were paid ${formatMinorUnits(actual, currency)} ${currency}, not ${formatMinorUnits(totalMinor, currency)}; ` +
        'nothing was taken back.',
      { path: ['totalMinor'] },
    );
}
