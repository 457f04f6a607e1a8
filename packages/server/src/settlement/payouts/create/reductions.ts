import { sql } from 'kysely';
import { joinMember } from '../../../members/standing.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { Tx } from '../../../platform/database/in-transaction.ts';
import type { AccountId, MembershipId, PayoutBatchId } from '../../../platform/database/tables.generated.ts';
import type { Page, Pages } from '../../../platform/page.ts';
import { type ChangeReason, inOrder } from './change-reasons.ts';
import type { Fall } from './still-owed.ts';

/** Member who is paid less than the preview showed. */
export interface Reduction {
  /** Null if no member is paid anything in the currency, so that there is no payout. */
  batchId: PayoutBatchId | null;
  memberId: AccountId;
  name: string;
  currency: string;
  previewedMinor: bigint;
  /** Amount that the payout pays to the member; 0 for none. */
  paidMinor: bigint;
  reasons: ChangeReason[];
}

/** Reductions of one or several payouts. */
export interface Reductions {
  /** Number of reductions, including those not listed. */
  count: number;
  /** Sum of the reductions by currency, sorted by currency. */
  totals: { currency: string; amountMinor: bigint }[];
  /** Reductions, largest first, at most `maxListedReductions`. */
  members: Reduction[];
}

export const maxListedReductions = 1_000;

/** Stores which members are paid less than the preview showed. The amount paid is the amount of the member's item. */
export async function saveReductions(
  tx: Tx,
  publisherId: string,
  batchIds: ReadonlyMap<string, PayoutBatchId>,
  falls: readonly Fall[],
): Promise<void> {
  if (falls.length === 0) return;
  await sql`
    insert into payout_reduction (publisher_id, batch_id, membership_id, previewed_minor, reasons)
    select ${publisherId}, r.batch_id, r.membership_id, r.previewed_minor, string_to_array(r.reasons, ' ')
    from unnest(
      ${falls.map(({ payable }) => batchIds.get(payable.currency))}::uuid[],
      ${falls.map(({ payable }) => payable.membershipId)}::uuid[],
      ${falls.map(({ beforeMinor }) => String(beforeMinor))}::numeric[],
      ${falls.map(({ reasons }) => reasons.join(' '))}::text[]
    ) as r (batch_id, membership_id, previewed_minor, reasons)`.execute(tx);
}

/** Reads the reductions of payouts. While a payout is Preparing, reads those stored so far. */
export async function readReductions(
  db: Db | Tx,
  publisherId: string,
  batchIds: readonly PayoutBatchId[],
): Promise<Reductions> {
  if (batchIds.length === 0) return { count: 0, totals: [], members: [] };
  const { rows } = await sql<{ currency: string; count: bigint; amount: string }>`
    select b.currency, count(*) as count, sum(r.previewed_minor - coalesce(i.amount_minor, 0))::text as amount
    from payout_reduction r
    join payout_batch b on b.publisher_id = ${publisherId} and b.batch_id = r.batch_id
    left join payout_item i
      on i.publisher_id = ${publisherId} and i.batch_id = r.batch_id and i.membership_id = r.membership_id
    where r.publisher_id = ${publisherId} and r.batch_id = any(${[...batchIds]}::uuid[])
    group by b.currency
    order by b.currency`.execute(db);
  const count = rows.reduce((sum, each) => sum + Number(each.count), 0);
  if (count === 0) return { count: 0, totals: [], members: [] };
  const wanted = { batchIds, after: null, limit: maxListedReductions };
  const members = await readMembers(db, publisherId, wanted);
  return {
    count,
    totals: rows.map(({ currency, amount }) => ({ currency, amountMinor: BigInt(amount) })),
    members: members.map(({ reduction }) => reduction),
  };
}

/**
 * Lists one page of a payout's reductions, largest first.
 * @param size 1 … 1,000
 * @throws Refusal InvalidCursor
 */
export async function listReductions(
  db: Db,
  pages: Pages,
  { publisherId, batchId }: { publisherId: string; batchId: PayoutBatchId },
  { cursor, size }: { cursor: string | null; size: number },
): Promise<Page<Reduction>> {
  const listing = ['payout reductions', publisherId, batchId];
  const after = pages.after(listing, cursor);
  const rows = await readMembers(db, publisherId, { batchIds: [batchId], after, limit: size + 1 });
  const { rows: found, nextCursor } = pages.cut(listing, rows, size, ({ reduction, membershipId }) => [
    String(reduction.previewedMinor - reduction.paidMinor),
    membershipId,
  ]);
  return { rows: found.map(({ reduction }) => reduction), nextCursor };
}

interface Wanted {
  batchIds: readonly PayoutBatchId[];
  after: readonly unknown[] | null;
  limit: number;
}

async function readMembers(
  db: Db | Tx,
  publisherId: string,
  { batchIds, after, limit }: Wanted,
): Promise<{ reduction: Reduction; membershipId: MembershipId }[]> {
  const { rows } = await sql<{
    batch_id: PayoutBatchId | null;
    membership_id: MembershipId;
    account_id: AccountId;
    name: string;
    currency: string;
    previewed: string;
    paid: string;
    reasons: ChangeReason[];
  }>`
    select case when not b.was_undone then r.batch_id end as batch_id, r.membership_id, m.account_id, a.name, b.currency, r.previewed_minor::text as previewed,
           r.paid_minor::text as paid, r.reasons
    from (
      select r.publisher_id, r.batch_id, r.membership_id, r.previewed_minor, r.reasons,
             coalesce(i.amount_minor, 0) as paid_minor, r.previewed_minor - coalesce(i.amount_minor, 0) as fall
      from payout_reduction r
      left join payout_item i
        on i.publisher_id = ${publisherId} and i.batch_id = r.batch_id and i.membership_id = r.membership_id
      where r.publisher_id = ${publisherId} and r.batch_id = any(${[...batchIds]}::uuid[])
    ) r
    join payout_batch b on b.publisher_id = ${publisherId} and b.batch_id = r.batch_id
    ${joinMember('r')}
    join creator_account a on a.account_id = m.account_id
    where ${after === null ? sql`true` : sql`(r.fall, r.membership_id) < (${after[0]}::numeric, ${after[1]}::uuid)`}
    order by r.fall desc, r.membership_id desc
    limit ${limit}`.execute(db);
  return rows.map((row) => ({
    membershipId: row.membership_id,
    reduction: {
      batchId: row.batch_id,
      memberId: row.account_id,
      name: row.name,
      currency: row.currency,
      previewedMinor: BigInt(row.previewed),
      paidMinor: BigInt(row.paid),
      reasons: inOrder(row.reasons),
    },
  }));
}

/** Adds the reductions in currencies that have no payout because no member is paid anything. */
export function withUnpaid(stored: Reductions, falls: readonly Fall[]): Reductions {
  const totals = new Map(stored.totals.map(({ currency, amountMinor }) => [currency, amountMinor]));
  for (const { payable, beforeMinor, afterMinor } of falls)
    totals.set(payable.currency, (totals.get(payable.currency) ?? 0n) + beforeMinor - afterMinor);
  const members = falls.map(({ payable, beforeMinor, afterMinor, reasons }) => ({
    batchId: null,
    memberId: payable.memberId,
    name: payable.name,
    currency: payable.currency,
    previewedMinor: beforeMinor,
    paidMinor: afterMinor,
    reasons,
  }));
  const fall = ({ previewedMinor, paidMinor }: Reduction): bigint => previewedMinor - paidMinor;
  return {
    count: stored.count + falls.length,
    totals: [...totals].sort().map(([currency, amountMinor]) => ({ currency, amountMinor })),
    members: [...stored.members, ...members]
      .sort((one, other) => (fall(one) < fall(other) ? 1 : fall(one) > fall(other) ? -1 : 0))
      .slice(0, maxListedReductions),
  };
}
