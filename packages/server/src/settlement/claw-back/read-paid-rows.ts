import { sql } from 'kysely';
import { joinMember } from '../../members/standing.ts';
import type { Db } from '../../platform/database/database.ts';
import type { AccountId, AttributionId } from '../../platform/database/tables.generated.ts';
import { isRowId } from '../../platform/ids.ts';
import { Refusal } from '../../platform/refusal.ts';

export interface PaidRow {
  rowId: AttributionId;
  memberId: AccountId;
  name: string;
  groupId: string;
  currency: string;
  /** Share, less the parts taken back before it was paid. */
  shareMinor: bigint;
  status: string;
  /** `can` for a paid row that hasn't been reversed; otherwise the reason it can't be clawed back. */
  verdict: 'can' | 'not paid' | 'in a payout' | 'went back';
  paidAt: Date | null;
  payoutId: string | null;
}

/** Maximum number of rows in a purchase: the limit for splits. */
const maxRows = 1_000;

/**
 * Reads a purchase's rows and determines which of them can be clawed back.
 * @param transactionOrRowId the purchase's `transactionId`, or the id of one of its rows
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
    select a.attribution_id, m.account_id, account.name, a.group_id, a.currency,
           a.share_minor - case when p.reversed_at is null then coalesce(p.reversed_minor, 0) else 0 end as share_minor, a.status,
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
