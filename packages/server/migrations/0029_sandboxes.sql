-- oldest program: 0.2.0
-- A sandbox is a publisher of its own, copied from a live one, whose clock may be ahead and only moves forward
-- (docs/adr/0046-sandbox.md).
-- squawk-ignore-file constraint-missing-not-valid, require-concurrent-index-creation
-- There are as many publishers as customers of an installation, and some schedules of each: their tables are looked at in a blink.

-- sandbox_of: the live publisher that a sandbox was copied from. sandbox_id: the sandbox of a live one that is open; the
-- others that it had are closed.
alter table publisher
  add column sandbox_of text collate "C",
  add column sandbox_id text collate "C";
alter table publisher
  add constraint publisher_sandbox_is_another check (sandbox_of <> publisher_id),
  add constraint publisher_sandbox_has_none check (sandbox_of is null or sandbox_id is null);
-- What a clock points at, which no live publisher has.
create unique index publisher_sandbox_of on publisher (publisher_id, sandbox_of);

-- Each move of a sandbox's clock: by how much it is ahead since. The furthest counts, and the service can add moves, but
-- neither change nor remove them: so a clock never goes back, and a live publisher's is never ahead.
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

-- What a sandbox has to tell by its clock, which 0006's index would look for among everybody's.
create index scheduled_share_to_tell_of on scheduled_share (publisher_id, (case when is_start_told then ends_at else starts_at end))
  where not is_end_told and deleted_at is null;
