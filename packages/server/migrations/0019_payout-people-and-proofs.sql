-- oldest program: 0.2.0
-- Who made a payout and who said that it is paid, how far one is, and proofs of the ledger that somebody asked for
-- (docs/payouts.md).

-- Null: before this, or by somebody whom the audit log alone knows.
alter table payout_batch
  add column created_by_kind text collate "C",
  add column created_by_id text check (length(created_by_id) <= 255),
  add column created_by_name text check (length(created_by_name) <= 255),
  add column paid_by_kind text collate "C",
  add column paid_by_id text check (length(paid_by_id) <= 255),
  add column paid_by_name text check (length(paid_by_name) <= 255),
  -- How many members it was begun for: with member_count, how far it is.
  add column planned_count integer check (planned_count >= 0);

update payout_batch b
set created_by_kind = e.actor_kind, created_by_id = e.actor_id, created_by_name = e.actor_name
from audit_entry e
where e.publisher_id = b.publisher_id and e.target = 'payout:' || b.batch_id and e.action = 'payout.create';
update payout_batch b
set paid_by_kind = e.actor_kind, paid_by_id = e.actor_id, paid_by_name = e.actor_name
from audit_entry e
where e.publisher_id = b.publisher_id and e.target = 'payout:' || b.batch_id and e.action = 'payout.mark-paid';

-- What was taken back, the newest first; and rewards of a month.
-- squawk-ignore require-concurrent-index-creation -- tables of what people do by hand, not of purchases
create index clawback_by_time on clawback (publisher_id, created_at, attribution_id);
-- squawk-ignore require-concurrent-index-creation -- the same
create index reward_payment_by_time on reward_payment (publisher_id, earned_at);

-- A proof of a publisher's ledger, as a job: one at a time, the last hundred are kept.
create table ledger_verification (
  publisher_id text collate "C" not null,
  verification_id uuid not null,
  -- Looks at what has not moved since it was found sound, too.
  looks_at_all boolean not null,
  status text collate "C" not null check (status in ('Waiting', 'Running', 'Sound', 'NotExplained', 'Failed')),
  requested_at timestamptz not null,
  requested_by_kind text collate "C" not null,
  requested_by_id text not null check (length(requested_by_id) <= 255),
  requested_by_name text not null check (length(requested_by_name) <= 255),
  started_at timestamptz,
  ended_at timestamptz,
  -- How often a process began it; one that died at it is followed by another, a few times.
  attempts integer not null default 0,
  -- The lease of whoever runs it.
  run_id uuid,
  worked_until timestamptz,
  rows_read bigint not null default 0,
  of_rows bigint,
  -- What was looked at, of one that is Sound.
  looked jsonb,
  -- The first that is not explained: the rule, the cell, and some of its rows.
  broken_rule text,
  broken_place text,
  broken_rows text[],
  -- Why one Failed.
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
