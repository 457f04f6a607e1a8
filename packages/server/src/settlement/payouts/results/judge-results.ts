import { sql } from 'kysely';
import { joinMember } from '../../../members/standing.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { Tx } from '../../../platform/database/in-transaction.ts';
import type {
  AccountId,
  MembershipId,
  PayoutBatchId,
  PayoutItemId,
} from '../../../platform/database/tables.generated.ts';
import type { PayoutStatus } from '../read/read-payouts.ts';
import type { WantedResult } from './parse-results.ts';
import { type LineResult, resultOf, whyNot } from './result.ts';

export const resultVerdicts = [
  'change',
  'unchanged',
  'unknown',
  'other payout',
  'impossible',
  'duplicate',
  'invalid',
] as const;

/** Verdict on a requested result. Only the verdict `change` changes anything. */
export interface ResultVerdict {
  line: number;
  reference: string;
  verdict: (typeof resultVerdicts)[number];
  /** Current result, and the requested one. */
  from: LineResult | null;
  to: LineResult | null;
  note: string | null;
  /** Reason for a verdict other than `change` and `unchanged`; otherwise null. */
  problem: string | null;
  /** Line of the payout; null if none of its lines has the reference. */
  item: JudgedItem | null;
}

export interface JudgedItem {
  itemId: PayoutItemId;
  membershipId: MembershipId;
  memberId: AccountId;
  name: string;
  amountMinor: bigint;
}

interface JudgedPayout {
  publisherId: string;
  batchId: PayoutBatchId;
  status: PayoutStatus;
}

/**
 * Returns a verdict for each requested result, in the same order. Lines are found only by reference, never by amount or
 * name.
 */
export async function judgeResults(
  db: Db | Tx,
  payout: JudgedPayout,
  wanted: readonly WantedResult[],
): Promise<ResultVerdict[]> {
  const items = await readItems(db, payout, wanted);
  const counts = new Map<string, number>();
  for (const { reference } of wanted) counts.set(reference, (counts.get(reference) ?? 0) + 1);
  return wanted.map(({ line, reference, result: to, note, problem }): ResultVerdict => {
    const found = items.get(reference);
    const isOurs = found?.batchId === payout.batchId;
    const judged = { line, reference, from: isOurs ? found.from : null, to, note };
    const not = (verdict: ResultVerdict['verdict'], why: string): ResultVerdict => ({
      ...judged,
      verdict,
      problem: why,
      item: isOurs ? found : null,
    });
    if (to === null || problem !== null) return not('invalid', problem ?? 'The status is missing.');
    if (found === undefined)
      return not('unknown', `The publisher has no payout line with the reference ${reference || '(empty)'}.`);
    if (!isOurs) return not('other payout', `The line is in payout ${found.number} (${found.batchId}).`);
    if ((counts.get(reference) ?? 0) > 1)
      return not('duplicate', 'The reference appears more than once. Keep only the line that applies.');
    const why = whyNot(found.from, to, payout);
    if (why !== null) return not('impossible', why);
    return { ...judged, verdict: found.from === to ? 'unchanged' : 'change', problem: null, item: found };
  });
}

type FoundItem = JudgedItem & { batchId: PayoutBatchId; number: number; from: LineResult | null };

async function readItems(
  db: Db | Tx,
  { publisherId }: JudgedPayout,
  wanted: readonly WantedResult[],
): Promise<Map<string, FoundItem>> {
  const references = [...new Set(wanted.map(({ reference }) => reference))];
  const { rows } = await sql<{
    reference: string;
    item_id: PayoutItemId;
    batch_id: PayoutBatchId;
    number: bigint;
    membership_id: MembershipId;
    account_id: AccountId;
    name: string;
    amount_minor: string;
    result: LineResult | null;
  }>`
    select i.reference, i.item_id, i.batch_id, b.number, i.membership_id, m.account_id, a.name, i.amount_minor,
           ${resultOf(publisherId, 'i', { status: sql`b.status` })} as result
    from payout_item i
    join payout_batch b on b.publisher_id = ${publisherId} and b.batch_id = i.batch_id
    ${joinMember('i')}
    join creator_account a on a.account_id = m.account_id
    where i.publisher_id = ${publisherId} and i.reference = any(${references}::text[])`.execute(db);
  return new Map(
    rows.map((row) => [
      row.reference,
      {
        itemId: row.item_id,
        batchId: row.batch_id,
        number: Number(row.number),
        membershipId: row.membership_id,
        memberId: row.account_id,
        name: row.name,
        amountMinor: BigInt(row.amount_minor),
        from: row.result,
      },
    ]),
  );
}
