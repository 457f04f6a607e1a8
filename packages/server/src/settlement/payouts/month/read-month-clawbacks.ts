import { type RawBuilder, sql } from 'kysely';
import { joinMember } from '../../../members/standing.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { AccountId, AttributionId, RefundId } from '../../../platform/database/tables.generated.ts';
import { laterBy } from '../../../publishers/publisher-time.ts';
import type { MonthSpan } from './month-span.ts';
import { readByKey } from './read-by-key.ts';
import type { Separately } from './read-statements.ts';

export interface MonthClawback {
  at: Date;
  groupId: string;
  memberId: AccountId;
  name: string;
  currency: string;
  amountMinor: bigint;
  transactionId: string;
  rowId: AttributionId;
  /** Reason: Refund, Fraud or Chargeback. */
  status: string;
  /** Payout that deducted the clawback before the end of the span; null if there is none. */
  payoutId: string | null;
}

const clawbacksPerRead = 1_000;
/** A clawback's entry has its transaction's start time, which may fall in a different month. */
const slackMs = 3_600_000;

/** Yields the clawbacks with ledger entries in a month, oldest first, up to a thousand at a time. */
export async function* readMonthClawbacks(
  db: Db,
  span: MonthSpan,
  separately: Separately,
): AsyncGenerator<MonthClawback[]> {
  for (let after: Place | null = null; ; ) {
    const rows: Row[] = await separately(() => readByKey(db, pageQuery(span, after)));
    yield rows.filter(({ is_in_month }) => is_in_month).map(toClawback);
    const last = rows.at(-1);
    if (last === undefined || rows.length < clawbacksPerRead) return;
    after = { place: last.place, refundId: last.refund_id };
  }
}

interface Place {
  /** Time in microseconds. */
  place: string;
  refundId: RefundId;
}

interface Row {
  refund_id: RefundId;
  attribution_id: AttributionId;
  place: string;
  created_at: Date;
  group_id: string;
  account_id: AccountId;
  name: string;
  currency: string;
  amount_minor: bigint;
  transaction_id: string;
  status: string;
  payout_batch_id: string | null;
  is_in_month: boolean;
}

function pageQuery(span: MonthSpan, after: Place | null): RawBuilder<Row> {
  const { publisherId, entriesFrom, entriesBefore } = span;
  return sql<Row>`
    select c.refund_id, c.attribution_id, c.created_at::text as place, c.created_at, c.group_id, m.account_id, account.name, c.currency,
           c.amount_minor, a.transaction_id, r.action as status, b.batch_id as payout_batch_id,
           exists (
             select 1
             from ledger_entry e
             where e.publisher_id = ${publisherId} and e.membership_id = c.membership_id and e.currency = c.currency
               and e.subject_id = case when r.gross_minor is null then c.attribution_id else c.refund_id end
               and e.kind = 'adjustment'
               and e.created_at >= ${entriesFrom} and e.created_at < ${entriesBefore}
           ) as is_in_month
    from (
      select c.*
      from clawback c
      where c.publisher_id = ${publisherId} and c.created_at >= ${laterBy(entriesFrom, -slackMs)}
        and c.created_at < ${laterBy(entriesBefore, slackMs)}
        ${after === null ? sql`` : sql`and (c.created_at, c.refund_id) > (${after.place}::timestamptz, ${after.refundId}::uuid)`}
      order by c.created_at, c.refund_id
      limit ${clawbacksPerRead}
    ) c
    join attribution a on a.publisher_id = ${publisherId} and a.attribution_id = c.attribution_id
    join refund_record r on r.publisher_id = ${publisherId} and r.refund_id = c.refund_id
    ${joinMember('c')}
    join creator_account account on account.account_id = m.account_id
    left join payout_batch b
      on b.publisher_id = ${publisherId} and b.batch_id = c.payout_batch_id and b.created_at < ${entriesBefore}
    order by c.created_at, c.refund_id`;
}

const toClawback = (row: Row): MonthClawback => ({
  at: row.created_at,
  groupId: row.group_id,
  memberId: row.account_id,
  name: row.name,
  currency: row.currency,
  amountMinor: row.amount_minor,
  transactionId: row.transaction_id,
  rowId: row.attribution_id,
  status: row.status,
  payoutId: row.payout_batch_id,
});
