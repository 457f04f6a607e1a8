-- oldest program: 0.2.0
-- A sandbox is a separate publisher, copied from a live one. Its clock may be ahead, and only moves forward
-- (docs/adr/0046-sandbox.md).
-- squawk-ignore-file constraint-missing-not-valid, require-concurrent-index-creation
-- An installation has few publishers, with a few schedules each, so scanning these tables takes no time.

-- sandbox_of: the live publisher that a sandbox was copied from. sandbox_id: the open sandbox of a live publisher; its earlier
-- ones are closed.
alter table publisher
  add column sandbox_of text collate "C",
  add column sandbox_id text collate "C";
alter table publisher
  add constraint publisher_sandbox_is_another check (sandbox_of <> publisher_id),
  add constraint publisher_sandbox_has_none check (sandbox_of is null or sandbox_id is null);
-- Target of the foreign key of clock_move; live publishers have no sandbox_of, so their clocks can't be moved.
create unique index publisher_sandbox_of on publisher (publisher_id, sandbox_of);

-- Moves of a sandbox's clock, with the time that it is ahead since. The largest one counts. The service can add moves but neither
-- change nor delete them, so a clock never goes back, and a live publisher's clock is never ahead.
create table clock_move (
  publisher_id text collate "C" not null,
  ahead_ms bigint not null check (ahead_ms between 1 and 315576000000), -- ten years
  sandbox_of text collate "C" not null,
  moved_at timestamptz not null,
  primary key (publisher_id, ahead_ms)
);
select distribute_by_publisher('clock_move');
alter table clock_move
  add foreign key (publisher_id, sandbox_of) references publisher (publisher_id, sandbox_of);
revoke update, delete, truncate on clock_move from current_user;

-- For events of a sandbox's schedules that are due by its clock. The index of 0006 would search those of all publishers.
create index scheduled_share_to_tell_of on scheduled_share (publisher_id, (case when is_start_told then ends_at else starts_at end))
  where not is_end_told and deleted_at is null;
