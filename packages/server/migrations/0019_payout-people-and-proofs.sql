-- oldest program: 0.2.0
-- The actors who created a payout and marked it as paid, its progress, and ledger verifications on request (docs/payouts.md).

-- Null for payouts before this migration whose actor is not in the audit log.
alter table payout_batch
  add column created_by_kind text collate "C",
  add column created_by_id text check (length(created_by_id) <= 255),
  add column created_by_name text check (length(created_by_name) <= 255),
  add column paid_by_kind text collate "C",
  add column paid_by_id text check (length(paid_by_id) <= 255),
  add column paid_by_name text check (length(paid_by_name) <= 255),
  -- Number of members that the payout was started for; with member_count, its progress.
  add column planned_count integer check (planned_count >= 0);

update payout_batch b
set created_by_kind = e.actor_kind, created_by_id = e.actor_id, created_by_name = e.actor_name
from audit_entry e
where e.publisher_id = b.publisher_id and e.target = 'payout:' || b.batch_id and e.action = 'payout.create';
update payout_batch b
set paid_by_kind = e.actor_kind, paid_by_id = e.actor_id, paid_by_name = e.actor_name
from audit_entry e
where e.publisher_id = b.publisher_id and e.target = 'payout:' || b.batch_id and e.action = 'payout.mark-paid';

-- For lists of clawbacks, newest first, and of a month's rewards.
-- squawk-ignore require-concurrent-index-creation -- small tables: their rows come from people's actions, not from purchases
create index clawback_by_time on clawback (publisher_id, created_at, attribution_id);
-- squawk-ignore require-concurrent-index-creation -- the same
create index reward_payment_by_time on reward_payment (publisher_id, earned_at);

-- Verifications of a publisher's ledger as background jobs: one at a time; the last hundred are stored.
create table ledger_verification (
  publisher_id text collate "C" not null,
  verification_id uuid not null,
  -- True to also check what has not changed since its last verification.
  looks_at_all boolean not null,
  status text collate "C" not null check (status in ('Waiting', 'Running', 'Sound', 'NotExplained', 'Failed')),
  requested_at timestamptz not null,
  requested_by_kind text collate "C" not null,
  requested_by_id text not null check (length(requested_by_id) <= 255),
  requested_by_name text not null check (length(requested_by_name) <= 255),
  started_at timestamptz,
  ended_at timestamptz,
  -- Number of processes that started it. When one dies, another one takes over, a few times.
  attempts integer not null default 0,
  -- Lease of the process that runs it.
  run_id uuid,
  worked_until timestamptz,
  rows_read bigint not null default 0,
  of_rows bigint,
  -- What was checked; only with status Sound.
  looked jsonb,
  -- The first discrepancy: the rule, the place, and some of its rows.
  broken_rule text,
  broken_place text,
  broken_rows text[],
  -- Reason of the status Failed.
  failure text check (length(failure) <= 2000),
  primary key (publisher_id, verification_id),
  check ((status in ('Waiting', 'Running')) = (ended_at is null)),
  check ((status = 'Running') = (run_id is not null and worked_until is not null)),
  check ((status = 'NotExplained') = (broken_rule is not null)),
  check ((status = 'Failed') = (failure is not null))
);
select distribute_by_publisher('ledger_verification');
alter table ledger_verification add foreign key (publisher_id) references publisher;
create unique index ledger_verification_unfinished on ledger_verification (publisher_id) where status in ('Waiting', 'Running');
