import { sql } from 'kysely';
import { joinMember } from '../../members/standing.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AccountId, AttributionId, RefundId } from '../../platform/database/tables.generated.ts';
import type { Page, Pages } from '../../platform/page.ts';

export interface ClawbackRow {
  rowId: AttributionId;
  transactionId: string;
  groupId: string;
  memberId: AccountId;
  name: string;
  currency: string;
  amountMinor: bigint;
  status: string;
  createdAt: Date;
  /** Payout that deducted the clawback; null until a payout deducts it. */
  payoutId: string | null;
  /** Id for reinstating the clawback. */
  refundId: RefundId;
  /** True if the amount was given back. */
  isReinstated: boolean;
}

export interface ClawbackFilter {
  publisherId: string;
  groupId: string | null;
  /** True to list only clawbacks that no payout has deducted yet. */
  isWaiting: boolean;
  /** Only these clawbacks; absent for all. */
  refundIds?: readonly string[] | undefined;
}

/**
 * Lists one page of clawbacks, newest first.
 * @throws Refusal InvalidCursor
 */
export async function listClawbacks(
  db: Db,
  pages: Pages,
  { publisherId, groupId, isWaiting, refundIds }: ClawbackFilter,
  { cursor, size }: { cursor: string | null; size: number },
): Promise<Page<ClawbackRow>> {
  const listing = ['clawbacks', publisherId, groupId, isWaiting, refundIds ?? null];
  const [at = null, id = null] = pages.after(listing, cursor) ?? [];
  const { rows } = await sql<{
    refund_id: RefundId;
    attribution_id: AttributionId;
    transaction_id: string;
    group_id: string;
    account_id: AccountId;
    name: string;
    currency: string;
    amount_minor: bigint;
    status: string;
    created_at: Date;
    payout_batch_id: string | null;
    is_reinstated: boolean;
    place: string;
  }>`
    select c.refund_id, c.attribution_id, a.transaction_id, c.group_id, m.account_id, account.name, c.currency, c.amount_minor, r.action as status,
           c.created_at, c.payout_batch_id, c.created_at::text as place, i.refund_id is not null as is_reinstated
    from clawback c
    join attribution a on a.publisher_id = ${publisherId} and a.attribution_id = c.attribution_id
    join refund_record r on r.publisher_id = ${publisherId} and r.refund_id = c.refund_id
    left join reinstatement i on i.publisher_id = ${publisherId} and i.refund_id = c.refund_id
    ${joinMember('c')}
    join creator_account account on account.account_id = m.account_id
    where c.publisher_id = ${publisherId}
      ${groupId === null ? sql`` : sql`and c.group_id = ${groupId}`}
      ${isWaiting ? sql`and c.payout_batch_id is null` : sql``}
      ${refundIds === undefined ? sql`` : sql`and c.refund_id = any(${[...refundIds]}::uuid[])`}
      ${at === null ? sql`` : sql`and (c.created_at, c.refund_id) < (${at}::timestamptz, ${id}::uuid)`}
    order by c.created_at desc, c.refund_id desc
    limit ${size + 1}`.execute(db);
  const page = pages.cut(listing, rows, size, (row) => [row.place, row.refund_id]);
  return {
    nextCursor: page.nextCursor,
    rows: page.rows.map((row) => ({
      rowId: row.attribution_id,
      transactionId: row.transaction_id,
      groupId: row.group_id,
      memberId: row.account_id,
      name: row.name,
      currency: row.currency,
      amountMinor: row.amount_minor,
      status: row.status,
      createdAt: row.created_at,
      payoutId: row.payout_batch_id,
      refundId: row.refund_id,
      isReinstated: row.is_reinstated,
    })),
  };
}
