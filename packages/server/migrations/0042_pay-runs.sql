-- oldest program: 0.2.0
-- Pay runs: payouts of several groups and currencies that are created together, with one cutoff (docs/adr/0069-pay-runs.md).

create table pay_run (
  publisher_id text collate "C" not null,
  pay_run_id uuid not null,
  -- Cutoff of all payouts of the run, on the service's clock, as in payout_batch.
  as_of timestamptz not null,
  started_at timestamptz not null,
  started_by_kind text collate "C" not null,
  started_by_id text not null check (length(started_by_id) <= 255),
  started_by_name text not null check (length(started_by_name) <= 255),
  -- Null while lines are waiting.
  ended_at timestamptz,
  -- Lease of the process that creates the payouts. When it has expired, a worker continues.
  lease_id uuid,
  worked_until timestamptz,
  -- Number of processes that took over since a payout of the run was last finished.
  attempts integer not null default 0,
  primary key (publisher_id, pay_run_id),
  -- The same preview never starts a second run.
  unique (publisher_id, as_of),
  check ((lease_id is null) = (worked_until is null)),
  check (ended_at is null or lease_id is null)
);
select distribute_by_publisher('pay_run');
alter table pay_run add foreign key (publisher_id) references publisher;
-- One run of a publisher at a time, so that two people don't create parts of the same payouts.
create unique index pay_run_unfinished on pay_run (publisher_id) where ended_at is null;

-- One line for each payout of a run: waiting, then created (payout_batch_id) or failed (failure_code).
create table pay_run_line (
  publisher_id text collate "C" not null,
  pay_run_id uuid not null,
  group_id text collate "C" not null,
  currency text collate "C" not null check (length(currency) = 3),
  -- Total that was confirmed. A payout with any other total is not created.
  total_minor numeric(40, 0) not null check (total_minor > 0),
  requested_by_kind text collate "C" not null,
  requested_by_id text not null check (length(requested_by_id) <= 255),
  requested_by_name text not null check (length(requested_by_name) <= 255),
  payout_batch_id uuid,
  failure_code text collate "C",
  failure_message text check (length(failure_message) <= 8000),
  -- What changed since the preview; null if the payout failed for another reason.
  payout_change jsonb,
  primary key (publisher_id, pay_run_id, group_id, currency),
  check (payout_batch_id is null or failure_code is null),
  check ((failure_code is null) = (failure_message is null)),
  check (payout_change is null or failure_code is not null)
);
select distribute_by_publisher('pay_run_line');
alter table pay_run_line add foreign key (publisher_id, pay_run_id) references pay_run;
alter table pay_run_line add foreign key (publisher_id, group_id) references creator_group;
alter table pay_run_line add foreign key (publisher_id, payout_batch_id) references payout_batch;
create unique index pay_run_line_by_payout on pay_run_line (publisher_id, payout_batch_id) where payout_batch_id is not null;

revoke delete, truncate on pay_run, pay_run_line from current_user;
