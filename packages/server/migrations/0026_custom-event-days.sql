-- oldest program: 0.2.0
-- Custom events of bounties lie in partitions by the day they were recorded; their ids, by which one that is sent again is
-- known, are kept apart, and what an event counts for says itself when that occurred (docs/adr/0041-retention.md).
-- squawk-ignore-file renaming-table, adding-not-nullable-field, constraint-missing-not-valid, require-concurrent-index-creation
-- Of no use to the program before, and it is stopped by the time this runs: the switch (0014) stands before it.

-- Each id once, for ever: the first half of its SHA-256, because ids may be long and nobody asks for them. record_id: where
-- its event lies; zeros for what 0.1.0 recorded.
create table bounty_event_id (
  publisher_id text collate "C" not null,
  id_digest uuid not null,
  record_id uuid not null,
  primary key (publisher_id, id_digest)
);
select distribute_by_publisher('bounty_event_id');

-- How far the next migration is, of each publisher; it drops this when it is done.
create table bounty_event_copy (
  publisher_id text collate "C" not null primary key,
  copied_through text collate "C" not null
);

-- Of an event's contribution, when it occurred; null for purchases.
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

-- What there was is the first partition, for what is recorded until tomorrow, too: the clocks of machines may differ.
do $$
declare
  today constant date := (now() at time zone 'UTC')::date;
begin
  execute format('alter table bounty_event attach partition bounty_event_before for values from (minvalue) to (%L)',
    first_id_of(case when exists (select from bounty_event_before) then today + 2 else today - 1 end));
end $$;
select make_day_partitions('bounty_event', 8);
