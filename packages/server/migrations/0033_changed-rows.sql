-- oldest program: 0.2.0
-- Lists by when a row last changed (docs/adr/0050-changes-in-order.md). A row that never changed is in none of these:
-- recording writes nothing more than before.

-- One entry a changed row: when its status or its buyer's id last became another one, or, of a row whose recording was
-- committed so late that a reader may have passed its place, when it was posted.
create table attribution_change (
  publisher_id text collate "C" not null,
  attribution_id uuid not null,
  changed_at timestamptz not null,
  -- The buyer's id is no longer the one that it was recorded with.
  is_player_new boolean not null,
  primary key (publisher_id, attribution_id)
);
select distribute_by_publisher('attribution_change');
create index attribution_change_by_time on attribution_change (publisher_id, changed_at, attribution_id);

-- How far rows have been read by the time at which they were recorded: a recording that is posted behind it is a change.
create table change_feed (
  publisher_id text collate "C" not null primary key,
  read_before timestamptz not null
);
select distribute_by_publisher('change_feed');
alter table change_feed add foreign key (publisher_id) references publisher;
