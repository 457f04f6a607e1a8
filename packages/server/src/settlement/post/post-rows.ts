import { type RawBuilder, sql } from 'kysely';
import { markLateRecordings } from '../../attributions/changes/mark-change.ts';
import { lastRowIdOf } from '../../attributions/recording-id.ts';
import { lockMembers } from '../../members/lock-members.ts';
import { tellCreators } from '../../notices/write-notices.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction, type Tx } from '../../platform/database/in-transaction.ts';
import { readMoment } from '../../platform/database/moment.ts';
import type {
  AttributionId,
  MembershipId,
  PostingId,
  RecordingId,
} from '../../platform/database/tables.generated.ts';
import { newRowId } from '../../platform/ids.ts';
import { posting } from '../ledger.ts';
import { looksRareToPlanner, pinLookUps } from '../pin-plans.ts';
import { returnMoney, type TakenPart } from '../return-money.ts';
import { lockForPosting } from '../settlement-lock.ts';
import { PostingTrace } from './trace-posting.ts';

/**
 * Maximum number of rows to post in one commit: large enough to keep the number of ledger entries per row low, and
 * small enough to hold locks for only about 150 ms.
 */
export const rowsPerPosting = 20_000;

/**
 * Counts rows that are about to be posted, given as a relation `a`, toward bounties. This is a parameter because
 * settlement can't import the bounties slice.
 */
export type CountRows = (tx: Tx, publisherId: string, rows: RawBuilder<unknown>) => Promise<void>;

/**
 * Posts a publisher's oldest recordings. Each member's earnings become one ledger entry per currency and are added to
 * balances, rollups and counts. The same commit removes the recordings from the queue. The rows themselves don't
 * change. Each row is posted exactly once, despite crashes and with any number of workers.
 * @param countRows called in the same commit, once the memberships are locked
 * @returns the number of rows posted, including Test rows; 0 if no rows are waiting or other workers have taken them
 * all
 */
export async function postRows(
  { countRows }: { countRows: CountRows },
  db: Db,
  publisherId: string,
): Promise<number> {
  const trace = new PostingTrace();
  const posting = inTransaction(db, async (tx) => {
    await lockForPosting(tx, publisherId);
    const recordings = await takeRecordings(tx, publisherId);
    if (recordings.length === 0) return 0;
    const rows = rowsOf(publisherId, recordings);
    await lockMembers(tx, publisherId, sql`select distinct a.membership_id from ${rows}`);
    await markLateRecordings(tx, publisherId, recordings);
    await countRows(tx, publisherId, sql`(select a.* from ${rows} where not a.is_test) a`);
    const postingId = trace.idFor(recordings, newRowId<PostingId>());
    return post(tx, { publisherId, postingId, recordings });
  });
  posting.then(
    (posted) => trace.end(publisherId, posted),
    (error) => trace.end(publisherId, 0, error),
  );
  return posting;
}

export async function publishersToPost(db: Db): Promise<string[]> {
  const { rows } = await sql<{ publisher_id: string }>`
    select p.publisher_id
    from publisher p
    where exists (select 1 from unposted u where u.publisher_id = p.publisher_id)`.execute(db);
  return rows.map(({ publisher_id }) => publisher_id);
}

/**
 * Locks the oldest recordings in the queue that no other worker has locked, up to the number of rows that fit in one
 * posting.
 */
async function takeRecordings(tx: Tx, publisherId: string): Promise<RecordingId[]> {
  const { rows } = await sql<{ recording_id: RecordingId }>`
    select recording_id
    from unposted
    where publisher_id = ${publisherId}
      and recording_id = any(array(
        select recording_id
        from (
          select recording_id, sum(row_count) over (order by recording_id) - row_count as before
          from (
            select recording_id, row_count
            from unposted
            where publisher_id = ${publisherId}
            order by recording_id
            limit ${rowsPerPosting}
          ) oldest
        ) counted
        where before < ${rowsPerPosting}
      ))
    for update skip locked`.execute(tx);
  return rows.map(({ recording_id }) => recording_id);
}

/**
 * Returns the rows in recordings as the relation `a`, reading one primary-key range per recording. `offset 0` keeps the
 * planner from reversing the join when its statistics are useless because the table was empty when last analyzed.
 */
const rowsOf = (publisherId: string, recordings: readonly RecordingId[]): RawBuilder<unknown> => sql`
  unnest(${[...recordings]}::uuid[], ${recordings.map(lastRowIdOf)}::uuid[]) as recording (first_id, last_id)
  cross join lateral (
    select *
    from attribution
    where publisher_id = ${publisherId} and attribution_id between recording.first_id and recording.last_id
    offset 0
  ) a`;

/**
 * Returns the rows in each recording that were reversed before being posted, in whole or in part. Such rows are posted
 * too. A fully reversed row gets a refund entry that cancels out its earnings; parts are taken back by a separate
 * statement.
 */
const reversedOf = (publisherId: string): RawBuilder<unknown> => sql`
  cross join lateral (
    select array_agg(attribution_id) filter (where refunded_minor is null) as ids,
           array_agg(attribution_id) filter (where refunded_minor is not null) as ids_in_parts
    from payment
    where publisher_id = ${publisherId} and attribution_id between recording.first_id and recording.last_id
      and (reversed_at is not null or refunded_minor is not null)
  ) reversed`;

const statusCounts = sql`
  count(*) as all_count,
  count(*) filter (where status = 'Test') as test_count,
  count(*) filter (where status = 'Refund') as refund_count,
  count(*) filter (where status = 'Fraud') as fraud_count,
  count(*) filter (where status = 'Chargeback') as chargeback_count`;

const money = [
  'row_count',
  'gross_minor',
  'share_minor',
  'reversed_count',
  'reversed_gross_minor',
  'reversed_share_minor',
];
const statuses = ['all_count', 'test_count', 'refund_count', 'fraud_count', 'chargeback_count'];

const each = (names: readonly string[], of: (name: string) => RawBuilder<unknown>): RawBuilder<unknown> =>
  sql.join(names.map(of));
const columns = (names: readonly string[]): RawBuilder<unknown> => each(names, (name) => sql.ref(name));
const sums = (names: readonly string[]): RawBuilder<unknown> =>
  each(names, (name) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`);
/** Adds one relation's columns to another's columns of the same names. */
const adding = (names: readonly string[], { to, from }: { to: string; from: string }): RawBuilder<unknown> =>
  each(names, (name) => sql`${sql.ref(name)} = ${sql.ref(`${to}.${name}`)} + ${sql.ref(`${from}.${name}`)}`);

interface Posting {
  publisherId: string;
  postingId: PostingId;
  recordings: readonly RecordingId[];
}

/**
 * Posts the recordings. All sums are based on `cell`, so the rows are read only once. Rows that other transactions may
 * be waiting for are written last, always in the same order.
 */
async function post(tx: Tx, { publisherId, postingId, recordings }: Posting): Promise<number> {
  const postedAt = await readMoment(tx);
  await sql`select ${pinLookUps}`.execute(tx);
  const { rows } = await sql<{
    posted: bigint;
    in_parts: AttributionId[] | null;
    first_sellers: MembershipId[] | null;
  }>`
    with a as materialized (
      select a.attribution_id, a.group_id, a.membership_id, a.code, a.currency, a.subtotal_minor, a.share_minor,
             a.transaction_date, a.status, not a.is_test as counts,
             not a.is_test and a.attribution_id = any(reversed.ids) is true as is_reversed,
             a.attribution_id = any(reversed.ids_in_parts) is true as has_parts
      from ${rowsOf(publisherId, recordings)}
      ${reversedOf(publisherId)}
    ),
    cell as materialized (
      select group_id, date_trunc('hour', transaction_date, 'UTC') as hour, membership_id, code, currency,
             min(transaction_date) as earliest_date,
             min(transaction_date) filter (where counts) as earliest_payable,
             count(*) filter (where counts) as row_count,
             coalesce(sum(subtotal_minor) filter (where counts), 0) as gross_minor,
             coalesce(sum(share_minor) filter (where counts), 0) as share_minor,
             count(*) filter (where is_reversed) as reversed_count,
             coalesce(sum(subtotal_minor) filter (where is_reversed), 0) as reversed_gross_minor,
             coalesce(sum(share_minor) filter (where is_reversed), 0) as reversed_share_minor,
             ${statusCounts}
      from a
      group by 1, 2, 3, 4, 5
    ),
    entry as not materialized (
      select ${postingId}::uuid as subject_id, 'payment' as kind, membership_id, currency, sum(share_minor) as amount_minor,
             min(earliest_payable) as earliest_date
      from cell
      where row_count > 0
      group by membership_id, currency
      union all
      select attribution_id, 'refund', membership_id, currency, -share_minor, null from a where is_reversed
    ),
    ${posting(publisherId, 'entry', sql`min(earliest_date)`)},
    recorded as (
      insert into posting (publisher_id, posting_id, posted_at, earliest_date, recording_ids)
      select ${publisherId}, ${postingId}::uuid, ${postedAt}::timestamptz, min(earliest_date), ${[...recordings]}::uuid[]
      from cell
      returning 1
    ),
    taken as (
      delete from unposted
      where publisher_id = ${publisherId} and recording_id = any(${[...recordings]}::uuid[])
      returning 1
    ),
    credited as (
      insert into credited_code (publisher_id, group_id, code_folded, membership_id)
      select distinct ${publisherId}, group_id, lower(code), membership_id
      from cell
      order by 2, 3, 4
      on conflict do nothing
      returning 1
    ),
    of_members as materialized (
      select days.*, known.is_known
      from (
        select group_id, (hour at time zone 'UTC')::date as day, membership_id, code, currency, ${sums([...money, ...statuses])}
        from cell
        group by 1, 2, 3, 4, 5
      ) days
      left join lateral (
        select true as is_known
        from earning_rollup e
        where e.publisher_id = ${publisherId} and e.membership_id = days.membership_id and e.day = days.day
          and e.code = days.code and e.currency = days.currency
        offset 0
      ) known on true
    ),
    added as (
      update earning_rollup e
      set ${adding([...money, ...statuses], { to: 'e', from: 'of_members' })}
      from of_members
      where of_members.is_known and ${looksRareToPlanner('of_members.code', 'of_members.membership_id')}
        and e.publisher_id = ${publisherId} and e.membership_id = of_members.membership_id and e.day = of_members.day
        and e.code = of_members.code and e.currency = of_members.currency
      returning 1
    ),
    begun as (
      insert into earning_rollup (publisher_id, group_id, day, membership_id, code, currency, ${columns([...money, ...statuses])})
      select ${publisherId}, group_id, day, membership_id, code, currency, ${columns([...money, ...statuses])}
      from of_members
      where is_known is null -- the members are locked, so no other transaction inserts the same rows
      order by membership_id, day, code, currency
      returning 1
    ),
    -- Members without sums from before this statement, whose rows it does not see.
    first_seller as (
      select distinct o.membership_id
      from of_members o
      left join lateral (
        select true as has_sold
        from earning_rollup e
        where e.publisher_id = ${publisherId} and e.membership_id = o.membership_id and e.row_count > 0
        limit 1
      ) earlier on true
      where o.is_known is null and o.row_count > o.reversed_count and earlier.has_sold is null
    ),
    -- Other transactions may wait for the rows below, so everything else is written first.
    of_each as materialized (
      select (select count(*) from posted) + (select count(*) from balanced) + (select count(*) from opened)
             + (select count(*) from recorded) + (select count(*) from taken) + (select count(*) from credited)
             + (select count(*) from added) + (select count(*) from begun) as written
    ),
    of_groups as (
      insert into group_rollup as g (publisher_id, group_id, day, currency, ${columns(money)})
      select ${publisherId}, group_id, day, currency, ${sums(money)}
      from of_members
      where row_count > 0 and (select written from of_each) >= 0
      group by 2, 3, 4
      order by 2, 3, 4
      on conflict (publisher_id, group_id, day, currency) do update set ${adding(money, { to: 'g', from: 'excluded' })}
      returning 1
    ),
    of_hours as (
      insert into transaction_count as t (publisher_id, group_id, hour, ${columns(statuses)})
      select ${publisherId}, group_id, hour, ${sums(statuses)}
      from cell
      where (select written from of_each) + (select count(*) from of_groups) >= 0 -- runs after both, in the order of status changes
      group by 2, 3
      order by 2, 3
      on conflict (publisher_id, group_id, hour) do update set ${adding(statuses, { to: 't', from: 'excluded' })}
    )
    select count(*) as posted, array_agg(attribution_id) filter (where has_parts) as in_parts,
           (select array_agg(membership_id) from first_seller) as first_sellers
    from a`.execute(tx);
  await tellOfFirstSales(tx, publisherId, rows[0]?.first_sellers ?? []);
  const inParts = rows[0]?.in_parts ?? [];
  if (inParts.length > 0) {
    await returnMoney(tx, publisherId, await readParts(tx, publisherId, inParts), 'refund');
    await returnMoney(tx, publisherId, await readReinstated(tx, publisherId, inParts), 'reinstatement');
  }
  return Number(rows[0]?.posted ?? 0);
}

/** Writes emails to the creators whose first purchases were posted. */
async function tellOfFirstSales(
  tx: Tx,
  publisherId: string,
  membershipIds: readonly MembershipId[],
): Promise<void> {
  if (membershipIds.length === 0) return;
  await tellCreators(tx, {
    publisherId,
    kind: 'first-sale',
    rows: sql`
      select membership_id as about_id, account_id
      from membership
      where publisher_id = ${publisherId} and membership_id = any(${[...membershipIds]}::uuid[])`,
  });
}

/** Reads the parts that were taken back from rows before the rows were posted. */
async function readParts(
  tx: Tx,
  publisherId: string,
  attributionIds: readonly AttributionId[],
): Promise<TakenPart[]> {
  const { rows } = await sql<{
    attribution_id: AttributionId;
    refund_id: string;
    gross_minor: bigint | null;
    share_minor: bigint | null;
    is_last: boolean;
  }>`
    select r.attribution_id, case when r.gross_minor is null then r.attribution_id else r.refund_id end as refund_id, r.gross_minor, r.share_minor,
           p.reversed_at is not null and lead(r.refund_id) over (partition by r.attribution_id order by r.refund_id) is null as is_last
    from refund_record r
    join payment p on p.publisher_id = ${publisherId} and p.attribution_id = r.attribution_id
    where r.publisher_id = ${publisherId} and r.attribution_id = any(${[...attributionIds]}::uuid[])
      and r.reverses_money`.execute(tx);
  return rows.map((row) => ({
    attributionId: row.attribution_id,
    subjectId: row.refund_id,
    grossMinor: row.gross_minor,
    shareMinor: row.share_minor,
    isLast: row.is_last,
  }));
}

/**
 * Reads the amounts that reinstatements gave back before the rows were posted. A row doesn't count as reversed while
 * any of it is left, so these reinstatements don't lower the count of reversed rows.
 */
async function readReinstated(
  tx: Tx,
  publisherId: string,
  attributionIds: readonly AttributionId[],
): Promise<TakenPart[]> {
  const { rows } = await sql<{
    attribution_id: AttributionId;
    reinstatement_id: string;
    gross_minor: bigint;
    share_minor: bigint;
  }>`
    select attribution_id, reinstatement_id, gross_minor, share_minor
    from reinstatement
    where publisher_id = ${publisherId} and attribution_id = any(${[...attributionIds]}::uuid[]) and gross_minor > 0`.execute(
    tx,
  );
  return rows.map((row) => ({
    attributionId: row.attribution_id,
    subjectId: row.reinstatement_id,
    grossMinor: row.gross_minor,
    shareMinor: row.share_minor,
    isLast: false,
  }));
}
