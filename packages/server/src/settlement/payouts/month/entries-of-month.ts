import { type RawBuilder, sql } from 'kysely';
import { rowIdAt, rowIdAtTime } from '../../../platform/ids.ts';
import { laterBy } from '../../../publishers/publisher-time.ts';

/** Time on the service's clock, which ledger entries use: a value, or a column of the SQL statement. */
type EntryTime = Date | RawBuilder<Date>;

/** One membership's entries in one currency in a span of time. */
export interface EntrySpan extends Span {
  publisherId: string;
}

interface Span {
  membershipId: RawBuilder<unknown>;
  currency: RawBuilder<unknown>;
  from: EntryTime;
  /** Exclusive end; null for all entries until now. */
  before: EntryTime | null;
}

/** Returns the span of the entries of a balance, which is an alias in the SQL statement. */
export const spanOfBalance = (
  publisherId: string,
  balance: string,
  { from, before }: Pick<EntrySpan, 'from' | 'before'>,
): EntrySpan => ({
  publisherId,
  membershipId: sql.ref(`${balance}.membership_id`),
  currency: sql.ref(`${balance}.currency`),
  from,
  before,
});

/**
 * Time by which the time in the id of a posting or reward may differ from its entry's time. The id is generated on a process's
 * clock, and the entry has the time at which its transaction began, on the database's clock.
 */
const idSlackMs = 86_400_000;

/**
 * Builds the condition for a ledger entry `e` of a posting or reward in a span. They are found by the times in the ids of their
 * subjects, because they have no index by time.
 */
export function isPaymentIn({ membershipId, currency, from, before }: Span): RawBuilder<boolean> {
  const end =
    before === null ? sql`` : sql`and e.subject_id < ${idAt(before, idSlackMs)} and e.created_at < ${before}`;
  return sql<boolean>`
    e.membership_id = ${membershipId} and e.currency = ${currency} and e.kind = 'payment'
    and e.subject_id >= ${idAt(from, -idSlackMs)} and e.created_at >= ${from} ${end}`;
}

/** Builds the condition for any other ledger entry `e` in a span. They have an index by time. */
export const isOtherIn = ({ membershipId, currency, from, before }: Span): RawBuilder<boolean> =>
  sql<boolean>`
    e.membership_id = ${membershipId} and e.currency = ${currency} and e.kind <> 'payment'
    and e.created_at >= ${from} ${before === null ? sql`` : sql`and e.created_at < ${before}`}`;

/** Builds a query for the entries in a span. The kind of a reward's entry is `reward`. */
export const entriesIn = (span: EntrySpan): RawBuilder<unknown> => sql`
  ${paymentsIn(span)}
  union all
  select e.kind, e.amount_minor, e.created_at
  from ledger_entry e
  where e.publisher_id = ${span.publisherId} and ${isOtherIn(span)}`;

/**
 * Builds a query for the movements in a span: the kinds and amounts of its entries. A payout that was undone never existed for
 * its creators, so its entries are added up, and none are left if it was undone in the span.
 */
export const movementsIn = (span: EntrySpan): RawBuilder<unknown> => sql`
  select payments.kind, payments.amount_minor
  from (${paymentsIn(span)}) payments
  union all
  select e.kind, e.amount_minor
  from ledger_entry e
  where e.publisher_id = ${span.publisherId} and ${isOtherIn(span)} and e.kind not in ('payout', 'payout-return')
  union all
  select case when sum(e.amount_minor) < 0 then 'payout' else 'payout-return' end, sum(e.amount_minor)
  from ledger_entry e
  join payout_item item on item.publisher_id = ${span.publisherId} and item.item_id = e.subject_id
  join payout_batch payout on payout.publisher_id = ${span.publisherId} and payout.batch_id = item.batch_id
  where e.publisher_id = ${span.publisherId} and ${isOtherIn(span)} and e.kind in ('payout', 'payout-return')
  group by e.subject_id, case when payout.was_undone then 'undone' else e.kind end
  having sum(e.amount_minor) <> 0`;

const paymentsIn = (span: EntrySpan): RawBuilder<unknown> => sql`
  select case when exists (
                select 1
                from reward_payment w
                where w.publisher_id = ${span.publisherId} and w.progress_reward_id = e.subject_id)
              then 'reward' else 'payment' end as kind,
         e.amount_minor, e.created_at
  from ledger_entry e
  where e.publisher_id = ${span.publisherId} and ${isPaymentIn(span)}`;

const idAt = (time: EntryTime, slackMs: number): RawBuilder<unknown> =>
  time instanceof Date
    ? sql`${rowIdAt(laterBy(time, slackMs))}::uuid`
    : rowIdAtTime(sql`(${time} + ${slackMs} * interval '1 millisecond')`);
