import { sql } from 'kysely';
import { joinMember } from '../../members/standing.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AccountId, AttributionId } from '../../platform/database/tables.generated.ts';
import { isRowId } from '../../platform/ids.ts';
import type { Page, Pages } from '../../platform/page.ts';
import { Refusal } from '../../platform/refusal.ts';

/** Clawback of a paid row. */
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
  /** Payout from which it was deducted; null while it is waiting for one. */
  payoutId: string | null;
}

export interface ClawbackFilter {
  publisherId: string;
  groupId: string | null;
  /** True to list only clawbacks that no payout has deducted yet. */
  isWaiting: boolean;
}

/**
 * Lists one page of clawbacks, newest first.
 * @throws Refusal InvalidCursor
 */
export async function listClawbacks(
  db: Db,
  pages: Pages,
  { publisherId, groupId, isWaiting }: ClawbackFilter,
  { cursor, size }: { cursor: string | null; size: number },
): Promise<Page<ClawbackRow>> {
  const listing = ['clawbacks', publisherId, groupId, isWaiting];
  const [at = null, id = null] = pages.after(listing, cursor) ?? [];
  const { rows } = await sql<{
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
    place: string;
  }>`
    select c.attribution_id, a.transaction_id, c.group_id, m.account_id, account.name, c.currency, c.amount_minor, a.status,
           c.created_at, c.payout_batch_id, c.created_at::text as place
    from clawback c
    join attribution a on a.publisher_id = ${publisherId} and a.attribution_id = c.attribution_id
    ${joinMember('c')}
    join creator_account account on account.account_id = m.account_id
    where c.publisher_id = ${publisherId}
      ${groupId === null ? sql`` : sql`and c.group_id = ${groupId}`}
      ${isWaiting ? sql`and c.payout_batch_id is null` : sql``}
      ${at === null ? sql`` : sql`and (c.created_at, c.attribution_id) < (${at}::timestamptz, ${id}::uuid)`}
    order by c.created_at desc, c.attribution_id desc
    limit ${size + 1}`.execute(db);
  const page = pages.cut(listing, rows, size, (row) => [row.place, row.attribution_id]);
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
    })),
  };
}

/** Row of a purchase, with a verdict on whether it can be clawed back. */
export interface PaidRow {
  rowId: AttributionId;
  memberId: AccountId;
  name: string;
  groupId: string;
  currency: string;
  shareMinor: bigint;
  status: string;
  /** `can` for a paid row that is not reversed, otherwise the reason it cannot be clawed back. */
  verdict: 'can' | 'not paid' | 'in a payout' | 'went back';
  paidAt: Date | null;
  payoutId: string | null;
}

/** Maximum number of rows in a purchase, which is the limit for splits. */
const maxRows = 1_000;

/**
 * Reads the rows of a purchase, with a verdict for each on whether it can be clawed back.
 * @param transactionOrRowId the purchase's transactionId, or the id of one of its rows
 * @throws Refusal NotFound
 */
export async function readPaidRows(
  db: Db,
  publisherId: string,
  transactionOrRowId: string,
): Promise<{ transactionId: string; rows: PaidRow[] }> {
  const transactionId = await findTransactionId(db, publisherId, transactionOrRowId);
  const { rows } = await sql<{
    attribution_id: AttributionId;
    account_id: AccountId;
    name: string;
    group_id: string;
    currency: string;
    share_minor: bigint;
    status: string;
    paid_at: Date | null;
    reversed_at: Date | null;
    payout_batch_id: string | null;
  }>`
    select a.attribution_id, m.account_id, account.name, a.group_id, a.currency, a.share_minor, a.status,
           coalesce(p.paid_at, b.paid_at) as paid_at, p.reversed_at, p.payout_batch_id
    from attribution a
    ${joinMember('a')}
    join creator_account account on account.account_id = m.account_id
    left join payment p on p.publisher_id = ${publisherId} and p.attribution_id = a.attribution_id
    left join payout_batch b on b.publisher_id = ${publisherId} and b.batch_id = p.payout_batch_id
    where a.publisher_id = ${publisherId} and a.transaction_id = ${transactionId}
    order by a.split_index
    limit ${maxRows}`.execute(db);
  return {
    transactionId,
    rows: rows.map((row) => ({
      rowId: row.attribution_id,
      memberId: row.account_id,
      name: row.name,
      groupId: row.group_id,
      currency: row.currency,
      shareMinor: row.share_minor,
      status: row.status,
      verdict:
        row.reversed_at !== null
          ? 'went back'
          : row.paid_at !== null
            ? 'can'
            : row.payout_batch_id !== null
              ? 'in a payout'
              : 'not paid',
      paidAt: row.paid_at,
      payoutId: row.payout_batch_id,
    })),
  };
}

async function findTransactionId(db: Db, publisherId: string, transactionOrRowId: string): Promise<string> {
  const orRow = isRowId(transactionOrRowId) ? sql`or attribution_id = ${transactionOrRowId}::uuid` : sql``;
  const { rows } = await sql<{ transaction_id: string }>`
    select transaction_id
    from attribution
    where publisher_id = ${publisherId} and (transaction_id = ${transactionOrRowId} ${orRow})
    order by (transaction_id = ${transactionOrRowId}) desc
    limit 1`.execute(db);
  const [found] = rows;
  if (found === undefined)
    throw new Refusal('NotFound', `Publisher ${publisherId} has no purchase ${transactionOrRowId}.`);
  return found.transaction_id;
}
