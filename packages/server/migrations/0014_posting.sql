-- oldest program: 0.2.0
-- the switch
-- Settlement posts sums: a row is written once, and everything else refers to the recording or sum that it belongs to
-- (docs/adr/0032-written-once.md). The previous version can't run on the resulting schema.
--
-- The service is stopped during this migration, so locks block nothing: indexes and columns are replaced in place.
-- squawk-ignore-file require-concurrent-index-creation, require-concurrent-index-deletion
-- squawk-ignore-file adding-not-nullable-field, constraint-missing-not-valid, adding-serial-primary-key-field

/*
 * Plans must not depend on the publishers that existed when statistics were last gathered. For a newer publisher, the planner
 * would assume no rows, and consider any index that starts with publisher_id as good as the key. Without statistics it assumes
 * one row in two hundred for each publisher, and prefers the key.
 */
create or replace function distribute_by_publisher(table_name text) returns void
language plpgsql as $$
begin
  execute format('alter table %I alter column publisher_id set statistics 0', table_name);
  if exists (select 1 from pg_extension where extname = 'citus') then
    execute format('select create_distributed_table(%L, %L)', table_name, 'publisher_id');
  end if;
end $$;

-- Rows that were posted since the previous migration visited them.
update attribution a
set share_millionths = p.share_millionths, share_minor = p.share_minor, share_rule = p.share_rule,
    schedule_id = case when p.share_rule in ('scheduled-tier', 'scheduled-group') then p.share_source end,
    scheduled_tier_share_millionths = case when p.share_rule = 'scheduled-tier' then p.share_millionths end,
    scheduled_share_millionths = case when p.share_rule = 'scheduled-group' then p.share_millionths end
from payment p
where a.share_rule is null and p.publisher_id = a.publisher_id and p.attribution_id = a.attribution_id and p.settled_at is not null;

-- The queue for posting, with one entry per recording commit. The ids of the rows equal that of the entry except for the last
-- sixteen bits, so that a row's id tells whether it is unposted, and an entry's rows are one range of ids.
create table unposted (
  publisher_id text collate "C" not null,
  recording_id uuid not null,
  row_count integer not null check (row_count between 1 and 65536),
  primary key (publisher_id, recording_id)
);
select distribute_by_publisher('unposted');

-- The remaining rows are unposted or Test rows. Their shares are determined by the rules that 0.1.0 used when posting. Each
-- unposted row becomes an entry of the queue, since 0.1.0 made their ids separately.
with offered as (
  select a.publisher_id, a.attribution_id, s.schedule_id, x.share_millionths as scheduled_tier, s.share_millionths as scheduled,
         coalesce(a.sent_share_millionths, a.sku_share_millionths, x.share_millionths, s.share_millionths,
                  a.tier_share_millionths, a.group_share_millionths) as share_millionths,
         case when a.sent_share_millionths is not null then 'sent'
              when a.sku_share_millionths is not null then 'sku'
              when x.share_millionths is not null then 'scheduled-tier'
              when s.share_millionths is not null then 'scheduled-group'
              when a.tier_share_millionths is not null then 'tier'
              else 'group' end as share_rule
  from attribution a
  left join scheduled_share s
    on s.publisher_id = a.publisher_id and s.group_id = a.group_id and s.deleted_at is null
   and tstzrange(s.starts_at, s.ends_at) @> a.transaction_date
  left join scheduled_tier_share x
    on x.publisher_id = a.publisher_id and x.schedule_id = s.schedule_id and x.tier_id = a.tier_id
  where a.share_rule is null
),
decided as (
  update attribution a
  set share_millionths = o.share_millionths, share_minor = share_of(a.subtotal_minor, o.share_millionths), share_rule = o.share_rule,
      schedule_id = o.schedule_id, scheduled_tier_share_millionths = o.scheduled_tier, scheduled_share_millionths = o.scheduled
  from offered o
  where a.publisher_id = o.publisher_id and a.attribution_id = o.attribution_id
  returning a.publisher_id, a.attribution_id, a.is_test
)
insert into unposted (publisher_id, recording_id, row_count)
select publisher_id, (left(attribution_id::text, 32) || '0000')::uuid, count(*)
from decided
where not is_test
group by 1, 2;
analyze unposted;

-- squawk-ignore ban-drop-table -- only the previous version uses it, which is stopped; its entries are in unposted
drop table unsettled;
-- squawk-ignore ban-drop-table -- only the previous migration uses it
drop table share_copy;
-- The service's code now has the only implementation of this rule.
drop function share_of(bigint, integer);

-- Rows with a code are now found through the members who were credited under it (credited_code).
drop index attribution_by_code;

-- The recordings of each posting, which connect a ledger entry with its rows, and a row with the time of its posting. A row
-- that 0.1.0 posted has its own ledger entry instead, and the time in its payment.
create table posting (
  publisher_id text collate "C" not null,
  posting_id uuid not null,
  posted_at timestamptz not null,
  -- Earliest transaction_date of its rows.
  earliest_date timestamptz not null,
  recording_ids uuid[] not null check (cardinality(recording_ids) > 0),
  primary key (publisher_id, posting_id)
);
select distribute_by_publisher('posting');
create index posting_by_time on posting (publisher_id, posted_at);
revoke update, delete, truncate on posting from current_user;

-- Payments of rows whose status changed before they were posted.
update payment p
set group_id = a.group_id, membership_id = a.membership_id, currency = a.currency, transaction_date = a.transaction_date,
    share_minor = a.share_minor
from attribution a
where p.group_id is null and a.publisher_id = p.publisher_id and a.attribution_id = p.attribution_id;

-- The earliest row of each member and currency that was neither paid nor reversed.
alter table member_balance
  -- Rows of the member in the currency with an earlier date can no longer be paid, so payouts start here. Null: no row can.
  add column unpaid_from timestamptz;
update member_balance b
set unpaid_from = p.earliest
from (
  select publisher_id, membership_id, currency, min(transaction_date) as earliest
  from payment
  where payout_batch_id is null and reversed_at is null and settled_at is not null
  group by 1, 2, 3
) p
where b.publisher_id = p.publisher_id and b.membership_id = p.membership_id and b.currency = p.currency;

-- From now on, a payment is stored only once something happens to its row: a reversal, a fraud flag, or a payout. The payments
-- of 0.1.0 for other rows stay, because they have the time from which their rows can be paid.
drop index payment_payable;
update payment set settled_at = greatest(settled_at, payable_at) where payable_at is not null;
alter table payment drop constraint payment_settled_whole;
-- A payout assigns thousands of rows at once, and the foreign key looked up the batch for each of them. A step locks its
-- batches, and `ledger verify` finds rows without a payout.
alter table payment drop constraint payment_publisher_id_payout_batch_id_fkey;
alter table payment
  -- squawk-ignore ban-drop-column -- now a column of the rows; the previous version is stopped
  drop column share_millionths,
  -- squawk-ignore ban-drop-column -- the same
  drop column share_rule,
  -- squawk-ignore ban-drop-column -- the same
  drop column share_source,
  -- squawk-ignore ban-drop-column -- its values were merged into settled_at above
  drop column payable_at,
  alter column group_id set not null,
  alter column membership_id set not null,
  alter column currency set not null,
  alter column transaction_date set not null,
  alter column share_minor set not null;
-- squawk-ignore renaming-column -- the previous version is stopped; a row was payable from the time of its posting
alter table payment rename column settled_at to payable_at;

-- Sorted by member, so that the entries of a balance are adjacent. A posting makes one entry per member and currency.
alter table ledger_entry drop constraint ledger_entry_pkey;
alter table ledger_entry add primary key (publisher_id, membership_id, currency, subject_id, kind);

-- Numbers of posted rows: all of them, and those of each status except Normal.
alter table earning_rollup
  add column all_count bigint not null default 0,
  add column test_count bigint not null default 0,
  add column refund_count bigint not null default 0,
  add column fraud_count bigint not null default 0,
  add column chargeback_count bigint not null default 0;
alter table earning_rollup drop constraint earning_rollup_pkey;
alter table earning_rollup add primary key (publisher_id, membership_id, day, code, currency);
drop index earning_rollup_by_member;
insert into earning_rollup (publisher_id, group_id, day, membership_id, code, currency, row_count, gross_minor, share_minor,
                            reversed_count, reversed_gross_minor, reversed_share_minor,
                            all_count, test_count, refund_count, fraud_count, chargeback_count)
select a.publisher_id, a.group_id, (a.transaction_date at time zone 'UTC')::date, a.membership_id, a.code, a.currency, 0, 0, 0, 0, 0, 0,
       count(*), count(*) filter (where a.status = 'Test'), count(*) filter (where a.status = 'Refund'),
       count(*) filter (where a.status = 'Fraud'), count(*) filter (where a.status = 'Chargeback')
from attribution a
where not exists (
  select 1
  from unposted u
  where u.publisher_id = a.publisher_id and u.recording_id = (left(a.attribution_id::text, 32) || '0000')::uuid
)
group by 1, 2, 3, 4, 5, 6
on conflict (publisher_id, membership_id, day, code, currency) do update
  set all_count = excluded.all_count, test_count = excluded.test_count, refund_count = excluded.refund_count,
      fraud_count = excluded.fraud_count, chargeback_count = excluded.chargeback_count;
create index earning_rollup_by_day on earning_rollup (publisher_id, group_id, day, membership_id);

-- The same sums by group.
create table group_rollup (
  publisher_id text collate "C" not null,
  group_id text collate "C" not null,
  day date not null,
  currency text collate "C" not null,
  row_count bigint not null,
  gross_minor numeric(40, 0) not null,
  share_minor numeric(40, 0) not null,
  reversed_count bigint not null,
  reversed_gross_minor numeric(40, 0) not null,
  reversed_share_minor numeric(40, 0) not null,
  primary key (publisher_id, group_id, day, currency)
);
select distribute_by_publisher('group_rollup');
insert into group_rollup (publisher_id, group_id, day, currency, row_count, gross_minor, share_minor, reversed_count,
                          reversed_gross_minor, reversed_share_minor)
select publisher_id, group_id, day, currency, sum(row_count), sum(gross_minor), sum(share_minor), sum(reversed_count),
       sum(reversed_gross_minor), sum(reversed_share_minor)
from earning_rollup
where row_count > 0
group by 1, 2, 3, 4;

-- Numbers of posted rows by group and hour (UTC) of the purchase, and by status. Numbered pages use them to count and skip.
create table transaction_count (
  publisher_id text collate "C" not null,
  group_id text collate "C" not null,
  hour timestamptz not null,
  all_count bigint not null,
  test_count bigint not null,
  refund_count bigint not null,
  fraud_count bigint not null,
  chargeback_count bigint not null,
  primary key (publisher_id, group_id, hour)
);
select distribute_by_publisher('transaction_count');
insert into transaction_count (publisher_id, group_id, hour, all_count, test_count, refund_count, fraud_count, chargeback_count)
select a.publisher_id, a.group_id, date_trunc('hour', a.transaction_date, 'UTC'),
       count(*), count(*) filter (where a.status = 'Test'), count(*) filter (where a.status = 'Refund'),
       count(*) filter (where a.status = 'Fraud'), count(*) filter (where a.status = 'Chargeback')
from attribution a
where not exists (
  select 1
  from unposted u
  where u.publisher_id = a.publisher_id and u.recording_id = (left(a.attribution_id::text, 32) || '0000')::uuid
)
group by 1, 2, 3;

-- Members who have been credited under a code.
create table credited_code (
  publisher_id text collate "C" not null,
  group_id text collate "C" not null,
  code_folded text collate "C" not null,
  membership_id uuid not null,
  primary key (publisher_id, group_id, code_folded, membership_id)
);
select distribute_by_publisher('credited_code');
insert into credited_code (publisher_id, group_id, code_folded, membership_id)
select distinct publisher_id, group_id, lower(code), membership_id from earning_rollup;

-- The share is now a required part of the row. This scans the table once for the columns, and once for each of the checks that
-- an earlier migration did not validate.
alter table attribution
  -- squawk-ignore ban-drop-column -- nothing reads it, and the previous version, which writes it, is stopped
  drop column recorded_at,
  alter column share_millionths set not null,
  alter column share_minor set not null,
  alter column share_rule set not null;
alter table attribution validate constraint attribution_share;
alter table attribution validate constraint attribution_share_rule;

-- Does for existing tables what distribute_by_publisher now does. Statistics that were already gathered would stay forever and
-- must be cleared first, which PostgreSQL supports from 18 on. With older versions, only tables without statistics are changed.
do $$
declare
  of_publishers record;
begin
  for of_publishers in
    select c.relname, exists (
             select 1 from pg_stats s
             where s.schemaname = current_schema() and s.tablename = c.relname and s.attname = 'publisher_id'
           ) as is_known
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'publisher_id' and not a.attisdropped
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
      and c.relowner = (select o.relowner from pg_class o where o.oid = 'publisher'::regclass) -- not the tables of another role
  loop
    if of_publishers.is_known then
      continue when to_regproc('pg_clear_attribute_stats') is null;
      execute format('select pg_clear_attribute_stats(%L, %L, ''publisher_id'', false)', current_schema(), of_publishers.relname);
    end if;
    execute format('alter table %I alter column publisher_id set statistics 0', of_publishers.relname);
  end loop;
exception when feature_not_supported then
  null; -- Citus, for a table that is already distributed
end $$;

-- Sums are updated often, and no index contains the changing columns. With free space on their page, updates stay on it (HOT).
alter table member_balance set (fillfactor = 50);
alter table earning_rollup set (fillfactor = 75);
alter table group_rollup set (fillfactor = 50);
alter table transaction_count set (fillfactor = 50);
