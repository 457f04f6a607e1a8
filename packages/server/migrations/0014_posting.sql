-- oldest program: 0.2.0
-- the switch
-- Settlement posts sums: a row is written once, and everything else names it by what it belongs to
-- (docs/adr/0032-written-once.md). The program before cannot run on what this makes.
--
-- Nothing runs meanwhile whom a lock could stop: indexes and columns are looked at and exchanged in place.
-- squawk-ignore-file require-concurrent-index-creation, require-concurrent-index-deletion
-- squawk-ignore-file adding-not-nullable-field, constraint-missing-not-valid, adding-serial-primary-key-field

/*
 * No plan is to depend on which publishers were there when statistics were last gathered: of one that came since the
 * planner takes it that it has no rows, and then any index that begins with publisher_id is as good to it as the key.
 * Without statistics a publisher is taken to have one row in two hundred, and a key is always better.
 */
create or replace function distribute_by_publisher(table_name text) returns void
language plpgsql as $$
begin
  execute format('alter table %I alter column publisher_id set statistics 0', table_name);
  if exists (select 1 from pg_extension where extname = 'citus') then
    execute format('select create_distributed_table(%L, %L)', table_name, 'publisher_id');
  end if;
end $$;

-- Rows that were settled since the migration before looked at them.
update attribution a
set share_millionths = p.share_millionths, share_minor = p.share_minor, share_rule = p.share_rule,
    schedule_id = case when p.share_rule in ('scheduled-tier', 'scheduled-group') then p.share_source end,
    scheduled_tier_share_millionths = case when p.share_rule = 'scheduled-tier' then p.share_millionths end,
    scheduled_share_millionths = case when p.share_rule = 'scheduled-group' then p.share_millionths end
from payment p
where a.share_rule is null and p.publisher_id = a.publisher_id and p.attribution_id = a.attribution_id and p.settled_at is not null;

-- The queue of posting: one entry a recording commit. The ids of its rows are those of the entry but for their last
-- sixteen bits, so that a row says by its own id whether it waits, and an entry finds its rows in one range.
create table unposted (
  publisher_id text collate "C" not null,
  recording_id uuid not null,
  row_count integer not null check (row_count between 1 and 65536),
  primary key (publisher_id, recording_id)
);
select distribute_by_publisher('unposted');

-- What is left waits to be settled, or is a Test row: decided now by the rules that settled rows until now. Those that
-- wait are the queue, each by itself, for their ids were made one by one.
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

-- squawk-ignore ban-drop-table -- the program before, which fills and empties it, has been stopped; what waited is in unposted
drop table unsettled;
-- squawk-ignore ban-drop-table -- of the migration before this one alone
drop table share_copy;
-- The rule is said in one place now, in the program.
drop function share_of(bigint, integer);

-- Rows under one code are found by the members who ever used it (credited_code).
drop index attribution_by_code;

-- What each posting posted: from a ledger entry one comes to its rows, and from a row to when it was posted. A row
-- that 0.1.0 settled has an entry of its own instead, and in its payment when it was settled.
create table posting (
  publisher_id text collate "C" not null,
  posting_id uuid not null,
  posted_at timestamptz not null,
  -- The earliest transaction_date among its rows.
  earliest_date timestamptz not null,
  recording_ids uuid[] not null check (cardinality(recording_ids) > 0),
  primary key (publisher_id, posting_id)
);
select distribute_by_publisher('posting');
create index posting_by_time on posting (publisher_id, posted_at);
revoke update, delete, truncate on posting from current_user;

-- Those of a status change that came before settlement.
update payment p
set group_id = a.group_id, membership_id = a.membership_id, currency = a.currency, transaction_date = a.transaction_date,
    share_minor = a.share_minor
from attribution a
where p.group_id is null and a.publisher_id = p.publisher_id and a.attribution_id = p.attribution_id;

-- Of each member and currency, the earliest row that nobody has paid or taken back.
alter table member_balance
  -- No row of the member in the currency that is dated before this can be paid any more: a payout looks from here. Null: none.
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

-- A payment is stored once something has happened to its row: a reversal, a fraud flag, a payout's stamp. Those that
-- 0.1.0 made of rows to which nothing has happened stay: they say from when their rows can be paid.
drop index payment_payable;
update payment set settled_at = greatest(settled_at, payable_at) where payable_at is not null;
alter table payment drop constraint payment_settled_whole;
-- A payout stamps thousands of rows at once, and each looked its batch up by itself. A step holds its batches, and
-- `ledger verify` looks for rows of no payout.
alter table payment drop constraint payment_publisher_id_payout_batch_id_fkey;
alter table payment
  -- squawk-ignore ban-drop-column -- on the rows now; the program before has been stopped
  drop column share_millionths,
  -- squawk-ignore ban-drop-column -- the same
  drop column share_rule,
  -- squawk-ignore ban-drop-column -- the same
  drop column share_source,
  -- squawk-ignore ban-drop-column -- the next statement keeps its values with those of settled_at
  drop column payable_at,
  alter column group_id set not null,
  alter column membership_id set not null,
  alter column currency set not null,
  alter column transaction_date set not null,
  alter column share_minor set not null;
-- squawk-ignore renaming-column -- the program before has been stopped; a row could be paid from when it was settled
alter table payment rename column settled_at to payable_at;

-- By member, so that a balance's entries lie together; what a posting pays each member in each currency is one entry.
alter table ledger_entry drop constraint ledger_entry_pkey;
alter table ledger_entry add primary key (publisher_id, membership_id, currency, subject_id, kind);

-- How many rows have which status, of those posted: all of them, and those that are not Normal.
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

-- The same sums of a whole group.
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

-- How many posted rows a group has of each hour (UTC) of the purchase, and with which status: numbered pages count and skip by it.
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

-- The members who were ever credited under a code.
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

-- The share is the row's. One look at all rows, and one for each of its checks, which the migration of its columns left open.
alter table attribution
  -- squawk-ignore ban-drop-column -- nothing read it, and the program before, which filled it, has been stopped
  drop column recorded_at,
  alter column share_millionths set not null,
  alter column share_minor set not null,
  alter column share_rule set not null;
alter table attribution validate constraint attribution_share;
alter table attribution validate constraint attribution_share_rule;

-- What distribute_by_publisher does now, for the tables of before. Statistics that were gathered would stay for ever, so
-- they have to go first, which PostgreSQL can from 18 on; before that, only tables that have none are changed.
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
      and c.relowner = (select o.relowner from pg_class o where o.oid = 'publisher'::regclass) -- not tables of somebody else's
  loop
    if of_publishers.is_known then
      continue when to_regproc('pg_clear_attribute_stats') is null;
      execute format('select pg_clear_attribute_stats(%L, %L, ''publisher_id'', false)', current_schema(), of_publishers.relname);
    end if;
    execute format('alter table %I alter column publisher_id set statistics 0', of_publishers.relname);
  end loop;
exception when feature_not_supported then
  null; -- Citus, of a table that is distributed already
end $$;

-- Sums are written again and again, and no index has what changes of them: with room on their page they stay there.
alter table member_balance set (fillfactor = 50);
alter table earning_rollup set (fillfactor = 75);
alter table group_rollup set (fillfactor = 50);
alter table transaction_count set (fillfactor = 50);
