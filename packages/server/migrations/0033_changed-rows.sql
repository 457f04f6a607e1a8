-- oldest program: 0.2.0
-- For lists of rows by their last change (docs/adr/0050-changes-in-order.md). Rows that never changed are not in these tables, so
-- recording writes no more than before.

-- One entry per changed row, with the last time that its status or buyer id changed. A row whose recording was committed so late
-- that a reader may have passed its position has an entry with the time of its posting.
create table attribution_change (
  publisher_id text collate "C" not null,
  attribution_id uuid not null,
  changed_at timestamptz not null,
  -- True when the buyer id differs from the recorded one.
  is_player_new boolean not null,
  primary key (publisher_id, attribution_id)
);
select distribute_by_publisher('attribution_change');
create index attribution_change_by_time on attribution_change (publisher_id, changed_at, attribution_id);

-- Position up to which rows have been read, by the time of their recording. A recording that is posted behind it is a change.
create table change_feed (
  publisher_id text collate "C" not null primary key,
  read_before timestamptz not null
);
select distribute_by_publisher('change_feed');
alter table change_feed add foreign key (publisher_id) references publisher;
