import type pg from 'pg';

export interface LargeLedger {
  rows: number;
  days: number;
  membersOfGroup: number;
}

const groups = ['main', 'extra'];

const rowsOfRecording = 1_000;
const rowsOfPosting = 5_000;

/**
 * Creates a publisher `large` with posted purchases in two groups, as if they had been recorded and posted one after
 * another. Attributions, refund payments, ledger, balances, rollups and counts are consistent. As after a restore,
 * PostgreSQL has no table statistics yet.
 */
export async function makeLargeLedger(
  client: pg.ClientBase,
  { rows, days, membersOfGroup }: LargeLedger,
): Promise<void> {
  // Maintaining the indexes that only lists use would take half the time.
  await client.query(`
    drop index attribution_by_group_status, attribution_by_member_status, attribution_by_group_origin`);
  await client.query(`
    insert into publisher (publisher_id, name) values ('large', 'Large');
    insert into creator_group (publisher_id, group_id, name, share_millionths, hold_days)
    select 'large', g, g, 100000, 0 from unnest('{${groups.join(',')}}'::text[]) g;
    insert into creator_account (account_id, name)
    select 'acc_' || n, 'Member ' || n from generate_series(0, ${membersOfGroup} - 1) n;
    insert into membership (publisher_id, membership_id, group_id, account_id, status)
    select 'large', ('01900000-0000-7000-8000-00' || ord || lpad(to_hex(n), 9, '0'))::uuid, g, 'acc_' || n, 'Approved'
    from unnest('{${groups.join(',')}}'::text[]) with ordinality as g (g, ord), generate_series(0, ${membersOfGroup} - 1) n`);
  // One percent of the purchases are refunded. Times are spread evenly over the days, so ids and dates are in
  // the same order.
  await client.query(`
    create temporary table bought as
    select n, at, m.group_id, m.membership_id, 100 + n % 1000 as subtotal_minor, n % 100 = 7 as is_refunded,
           (lpad(to_hex((extract(epoch from first_value(at) over (partition by n / ${rowsOfRecording} order by n)) * 1000)::bigint), 12, '0')
            || '7000a' || lpad(to_hex(n / ${rowsOfRecording}), 11, '0') || lpad(to_hex(n % ${rowsOfRecording}), 4, '0'))::uuid as attribution_id,
           div(100 + n % 1000, 10) + case when (100 + n % 1000) % 10 > 5
             or ((100 + n % 1000) % 10 = 5 and div(100 + n % 1000, 10) % 2 = 1) then 1 else 0 end as share_minor
    from (
      select n, timestamptz '2026-01-01Z' + n * interval '${days} days' / ${rows} as at from generate_series(0, ${rows} - 1) n
    ) rows
    join (select group_id, membership_id, row_number() over () - 1 as place from membership where publisher_id = 'large') m
      on m.place = (n * 7919::bigint) % ${membersOfGroup * groups.length};
    create temporary table posted as
    select n / ${rowsOfPosting} as number, min(at) as earliest_date, date_trunc('milliseconds', max(at)) as posted_at,
           (lpad(to_hex((extract(epoch from max(at)) * 1000)::bigint), 12, '0') || '7000b' || lpad(to_hex(n / ${rowsOfPosting}), 15, '0'))::uuid as posting_id,
           array_agg(distinct (left(attribution_id::text, 32) || '0000')::uuid) as recording_ids
    from bought
    group by 1;
    insert into attribution (publisher_id, attribution_id, transaction_id, split_index, group_id, membership_id, code, description,
                             status, is_test, origin, subtotal_minor, currency, total_minor, total_currency, transaction_date,
                             group_share_millionths, share_millionths, share_minor, share_rule)
    select 'large', attribution_id, 'order-' || n, 0, group_id, membership_id, 'C' || n % 3, 'x',
           case when is_refunded then 'Refund' else 'Normal' end, false, 'api', subtotal_minor, 'USD', subtotal_minor, 'USD', at,
           100000, 100000, share_minor, 'group'
    from bought
    order by n;
    insert into posting (publisher_id, posting_id, posted_at, earliest_date, recording_ids)
    select 'large', posting_id, posted_at, earliest_date, recording_ids from posted;
    insert into payment (publisher_id, attribution_id, group_id, membership_id, currency, transaction_date, share_minor, reversed_at)
    select 'large', attribution_id, group_id, membership_id, 'USD', at, share_minor, at from bought where is_refunded;
    insert into refund_record (publisher_id, refund_id, attribution_id, action, reverses_money)
    select publisher_id, attribution_id, attribution_id, 'Refund', true from payment where publisher_id = 'large';
    insert into ledger_entry (publisher_id, subject_id, kind, membership_id, currency, amount_minor)
    select 'large', p.posting_id, 'payment', b.membership_id, 'USD', sum(b.share_minor)
    from bought b
    join posted p on p.number = b.n / ${rowsOfPosting}
    group by 2, 4
    union all
    select 'large', attribution_id, 'refund', membership_id, 'USD', -share_minor from bought where is_refunded;
    insert into member_balance (publisher_id, membership_id, currency, balance_minor, unpaid_from)
    select 'large', membership_id, 'USD', coalesce(sum(share_minor) filter (where not is_refunded), 0), min(at) from bought group by 2;
    insert into earning_rollup (publisher_id, group_id, day, membership_id, code, currency, row_count, gross_minor, share_minor,
                                reversed_count, reversed_gross_minor, reversed_share_minor, all_count, refund_count)
    select 'large', group_id, (at at time zone 'UTC')::date, membership_id, 'C' || n % 3, 'USD', count(*), sum(subtotal_minor),
           sum(share_minor), count(*) filter (where is_refunded),
           coalesce(sum(subtotal_minor) filter (where is_refunded), 0), coalesce(sum(share_minor) filter (where is_refunded), 0),
           count(*), count(*) filter (where is_refunded)
    from bought
    group by 2, 3, 4, 5;
    insert into group_rollup (publisher_id, group_id, day, currency, row_count, gross_minor, share_minor, reversed_count,
                              reversed_gross_minor, reversed_share_minor)
    select publisher_id, group_id, day, currency, sum(row_count), sum(gross_minor), sum(share_minor), sum(reversed_count),
           sum(reversed_gross_minor), sum(reversed_share_minor)
    from earning_rollup
    where publisher_id = 'large'
    group by 1, 2, 3, 4;
    insert into transaction_count (publisher_id, group_id, hour, all_count, test_count, refund_count, fraud_count, chargeback_count)
    select 'large', group_id, date_trunc('hour', at, 'UTC'), count(*), 0, count(*) filter (where is_refunded), 0, 0
    from bought
    group by 2, 3;
    insert into credited_code (publisher_id, group_id, code_folded, membership_id)
    select distinct 'large', group_id, 'c' || n % 3, membership_id from bought;
    drop table bought, posted;
    analyze`);
}
