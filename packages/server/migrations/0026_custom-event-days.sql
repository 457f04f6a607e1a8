-- oldest program: 0.2.0
-- Custom events of bounties are in partitions by the day of their recording. Their ids, which detect repeated events, are in a
-- separate table, and contributions store the time of their event (docs/adr/0041-retention.md).
-- squawk-ignore-file renaming-table, adding-not-nullable-field, constraint-missing-not-valid, require-concurrent-index-creation
-- Runs after the switch (0014), when the previous version is stopped.

-- Every id, stored forever as the first half of its SHA-256, because ids may be long and are never read. record_id is the key of
-- its event; zeros for events that 0.1.0 recorded.
create table bounty_event_id (
  publisher_id text collate "C" not null,
  id_digest uuid not null,
  record_id uuid not null,
  primary key (publisher_id, id_digest)
);
select distribute_by_publisher('bounty_event_id');

-- Progress of the next migration by publisher; that migration drops the table at its end.
create table bounty_event_copy (
  publisher_id text collate "C" not null primary key,
  copied_through text collate "C" not null
);

-- Time of the event, for contributions of events; null for purchases.
alter table bounty_contribution add column occurred_at timestamptz;

alter table bounty_event drop constraint bounty_event_publisher_id_group_id_membership_id_fkey;
alter table bounty_event drop constraint bounty_event_pkey;
alter table bounty_event add column record_id uuid not null default '00000000-0000-0000-0000-000000000000';
alter table bounty_event alter column record_id drop default;
alter table bounty_event rename to bounty_event_before;
alter index bounty_event_by_code rename to bounty_event_before_by_code;
create table bounty_event (
  like bounty_event_before including defaults including constraints,
  primary key (publisher_id, record_id, event_id)
) partition by range (record_id);
select distribute_by_publisher('bounty_event');
create index bounty_event_by_code on bounty_event (publisher_id, group_id, event_code, occurred_at);

-- The existing table becomes the first partition. It ends after tomorrow, since the clocks of machines may differ.
do $$
declare
  today constant date := (now() at time zone 'UTC')::date;
begin
  execute format('alter table bounty_event attach partition bounty_event_before for values from (minvalue) to (%L)',
    first_id_of(case when exists (select from bounty_event_before) then today + 2 else today - 1 end));
end $$;
select make_day_partitions('bounty_event', 8);
