import type pg from 'pg';

export interface LargeLedger {
  rows: number;
  days: number;
  membersOfGroup: number;
}

const groups = ['main', 'extra'];

/**
 * A publisher `large` with settled purchases of two groups, as if they had been recorded and settled one after another:
 * attributions, payments, ledger, balances and rollups that agree, made by statements over all of them. PostgreSQL knows
 * nothing of the tables yet, as after a restore.
 */
export async function makeLargeLedger(
  client: pg.ClientBase,
  { rows, days, membersOfGroup }: LargeLedger,
): Promise<void> {
  // Indexes that are for listing alone would take half of the time.
  await client.query(`
    drop index attribution_by_group, attribution_by_code, attribution_by_group_status, attribution_by_member_status,
               attribution_by_group_origin`);
  await client.query(`
    insert into publisher (publisher_id, name) values ('large', 'Large');
    insert into creator_group (publisher_id, group_id, name, share_millionths, hold_days)
    select 'large', g, g, 100000, 0 from unnest('{${groups.join(',')}}'::text[]) g;
    insert into creator_account (account_id, name)
    select 'acc_' || n, 'Member ' || n from generate_series(0, ${membersOfGroup} - 1) n;
    insert into membership (publisher_id, membership_id, group_id, account_id, status)
    select 'large', ('01900000-0000-7000-8000-00' || ord || lpad(to_hex(n), 9, '0'))::uuid, g, 'acc_' || n, 'Approved'
    from unnest('{${groups.join(',')}}'::text[]) with ordinality as g (g, ord), generate_series(0, ${membersOfGroup} - 1) n`);
  // A hundredth is refunded; times spread evenly over the days, so that ids and dates have one order.
  await client.query(`
    insert into attribution (publisher_id, attribution_id, transaction_id, split_index, group_id, membership_id, code, description,
                             status, is_test, origin, subtotal_minor, currency, total_minor, total_currency, transaction_date,
                             recorded_at, group_share_millionths)
    select 'large', (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7000a' || lpad(to_hex(n), 15, '0'))::uuid,
           'order-' || n, 0, m.group_id, m.membership_id, 'C' || n % 3, 'x', case when n % 100 = 7 then 'Refund' else 'Normal' end,
           false, 'api', 100 + n % 1000, 'USD', 100 + n % 1000, 'USD', at, at, 100000
    from (
      select n, timestamptz '2026-01-01Z' + n * interval '${days} days' / ${rows} as at from generate_series(0, ${rows} - 1) n
    ) rows
    join (select group_id, membership_id, row_number() over () - 1 as place from membership where publisher_id = 'large') m
      on m.place = (n * 7919::bigint) % ${membersOfGroup * groups.length}`);
  await client.query(`
    insert into payment (publisher_id, attribution_id, group_id, membership_id, currency, transaction_date, share_millionths,
                         share_minor, share_rule, share_source, settled_at, reversed_at)
    select publisher_id, attribution_id, group_id, membership_id, currency, transaction_date, 100000,
           share_of(subtotal_minor, 100000), 'group', group_id, recorded_at, case when status = 'Refund' then recorded_at end
    from attribution
    where publisher_id = 'large';
    insert into refund_record (publisher_id, refund_id, attribution_id, action, reverses_money)
    select publisher_id, attribution_id, attribution_id, 'Refund', true from payment where publisher_id = 'large' and reversed_at is not null;
    insert into ledger_entry (publisher_id, subject_id, kind, membership_id, currency, amount_minor)
    select publisher_id, attribution_id, 'payment', membership_id, currency, share_minor from payment where publisher_id = 'large'
    union all
    select publisher_id, attribution_id, 'refund', membership_id, currency, -share_minor
    from payment where publisher_id = 'large' and reversed_at is not null;
    insert into member_balance (publisher_id, membership_id, currency, balance_minor)
    select publisher_id, membership_id, currency, sum(amount_minor) from ledger_entry where publisher_id = 'large' group by 1, 2, 3;
    insert into earning_rollup (publisher_id, group_id, day, membership_id, code, currency, row_count, gross_minor, share_minor,
                                reversed_count, reversed_gross_minor, reversed_share_minor)
    select a.publisher_id, a.group_id, (a.transaction_date at time zone 'UTC')::date, a.membership_id, a.code, a.currency,
           count(*), sum(a.subtotal_minor), sum(p.share_minor), count(p.reversed_at),
           coalesce(sum(a.subtotal_minor) filter (where p.reversed_at is not null), 0),
           coalesce(sum(p.share_minor) filter (where p.reversed_at is not null), 0)
    from attribution a
    join payment p on p.publisher_id = a.publisher_id and p.attribution_id = a.attribution_id
    where a.publisher_id = 'large'
    group by 1, 2, 3, 4, 5, 6;
    analyze`);
}
