-- Scheduled revenue shares: for a window of time, another percent for a group or for its tiers.

create extension if not exists btree_gist;

create table scheduled_share (
  publisher_id text collate "C" not null,
  schedule_id text collate "C" not null check (length(schedule_id) = 21),
  group_id text collate "C" not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at >= starts_at),
  -- Null: the schedule carries tier shares alone.
  share_millionths integer check (share_millionths between 10000 and 1000000),
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  primary key (publisher_id, schedule_id),
  -- The second lock behind the check under the group's row lock; it does not see instants, which are empty.
  constraint scheduled_share_no_overlap exclude using gist (
    publisher_id with =, group_id with =, tstzrange(starts_at, ends_at) with &&
  ) where (deleted_at is null)
);
select distribute_by_publisher('scheduled_share');
alter table scheduled_share add foreign key (publisher_id, group_id) references creator_group;
create index scheduled_share_by_group on scheduled_share (publisher_id, group_id, starts_at) where deleted_at is null;

create table scheduled_tier_share (
  publisher_id text collate "C" not null,
  schedule_id text collate "C" not null,
  tier_id uuid not null,
  position smallint not null,
  share_millionths integer not null check (share_millionths between 10000 and 1000000),
  primary key (publisher_id, schedule_id, tier_id)
);
select distribute_by_publisher('scheduled_tier_share');
alter table scheduled_tier_share
  add foreign key (publisher_id, schedule_id) references scheduled_share,
  add foreign key (publisher_id, tier_id) references tier;
