import { sql } from 'kysely';
import type { Db } from '../src/platform/database/database.ts';

export interface Books {
  /** Number of group members besides A. */
  members: number;
  /** Number of posted purchases for each of these members. Each purchase earns one cent. */
  each: number;
  ofA: number;
}

const rowsOfRecording = 1_000;

/** Writes the rows that recording and posting many purchases in one of aurora's groups would produce. */
export async function fillBooks(db: Db, groupId: string, { members, each, ofA }: Books): Promise<void> {
  const prefix = `many_${groupId}_`;
  await sql`
    with account as (
      insert into creator_account (account_id, name, owner_publisher_id)
      select ${prefix}::text || n, 'Member ' || n, 'aurora' from generate_series(1, ${members}::int) n
      returning account_id
    )
    insert into membership (publisher_id, membership_id, group_id, account_id, status)
    select 'aurora', gen_random_uuid(), ${groupId}, account_id, 'Approved' from account`.execute(db);
  await sql`
    with sold as materialized (
      select m.account_id || '-' || n as transaction_id, m.membership_id,
             timestamptz '2024-05-01T00:00:00Z' + n * interval '1 minute' as transaction_date,
             row_number() over () - 1 as place
      from membership m
      cross join lateral generate_series(1, case when m.account_id like ${`${prefix}%`} then ${each}::int else ${ofA}::int end) n
      where m.publisher_id = 'aurora' and m.group_id = ${groupId}
        and (m.account_id like ${`${prefix}%`} or m.account_id = ${`acc_${groupId}_A`})
    ),
    recording as materialized (
      select n, (left(gen_random_uuid()::text, 32) || '0000')::uuid as recording_id
      from generate_series(0, (select max(place) / ${rowsOfRecording}::int from sold)) n
    ),
    bought as materialized (
      select s.*, (left(r.recording_id::text, 32) || lpad(to_hex(s.place % ${rowsOfRecording}::int), 4, '0'))::uuid as attribution_id
      from sold s
      join recording r on r.n = s.place / ${rowsOfRecording}::int
    ),
    recorded as (
      insert into attribution (publisher_id, attribution_id, transaction_id, split_index, group_id, membership_id, code,
                               description, status, is_test, origin, subtotal_minor, currency, total_minor, total_currency,
                               transaction_date, group_share_millionths, share_millionths, share_minor, share_rule)
      select 'aurora', attribution_id, transaction_id, 0, ${groupId}, membership_id, 'MANY', '', 'Normal', false, 'api', 10,
             'USD', 10, 'USD', transaction_date, 100000, 100000, 1, 'group'
      from bought
    ),
    posted as (
      insert into posting (publisher_id, posting_id, posted_at, earliest_date, recording_ids)
      select 'aurora', gen_random_uuid(), date_trunc('milliseconds', now()), (select min(transaction_date) from bought),
             array_agg(recording_id order by recording_id)
      from recording
      returning posting_id
    ),
    entered as (
      insert into ledger_entry (publisher_id, subject_id, kind, membership_id, currency, amount_minor)
      select 'aurora', p.posting_id, 'payment', b.membership_id, 'USD', count(*)
      from bought b, posted p
      group by 2, 4
    ),
    balanced as (
      insert into member_balance (publisher_id, membership_id, currency, balance_minor, unpaid_from)
      select 'aurora', membership_id, 'USD', count(*), min(transaction_date) from bought group by membership_id
    ),
    summed as (
      insert into earning_rollup (publisher_id, group_id, day, membership_id, code, currency, row_count, gross_minor,
                                  share_minor, reversed_count, reversed_gross_minor, reversed_share_minor, all_count)
      select 'aurora', ${groupId}, (transaction_date at time zone 'UTC')::date, membership_id, 'MANY', 'USD', count(*),
             10 * count(*), count(*), 0, 0, 0, count(*)
      from bought
      group by 3, 4
    ),
    summed_of_group as (
      insert into group_rollup (publisher_id, group_id, day, currency, row_count, gross_minor, share_minor,
                                reversed_count, reversed_gross_minor, reversed_share_minor)
      select 'aurora', ${groupId}, (transaction_date at time zone 'UTC')::date, 'USD', count(*), 10 * count(*), count(*),
             0, 0, 0
      from bought
      group by 3
    ),
    counted as (
      insert into transaction_count (publisher_id, group_id, hour, all_count, test_count, refund_count, fraud_count,
                                     chargeback_count)
      select 'aurora', ${groupId}, date_trunc('hour', transaction_date, 'UTC'), count(*), 0, 0, 0, 0
      from bought
      group by 3
    )
    insert into credited_code (publisher_id, group_id, code_folded, membership_id)
    select distinct 'aurora', ${groupId}, 'many', membership_id from bought`.execute(db);
  // Does what autovacuum would do, but before the first read.
  await sql`analyze attribution, payment, ledger_entry, membership`.execute(db);
}
