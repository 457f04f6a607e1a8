-- oldest program: 0.2.0
-- What `ledger verify` has found sound, so that its next run looks at what moved since (docs/adr/0019-ledger-verify.md).

-- Of a publisher: rows, entries and rewards whose ids are below rows_before have been looked at.
create table ledger_check (
  publisher_id text collate "C" primary key,
  rows_before uuid not null,
  -- When a run that looked at everything ended, and when the last one did.
  all_at timestamptz not null,
  last_at timestamptz not null
);
select distribute_by_publisher('ledger_check');

-- Of a group's day: the members who earned on it, each with how often its rollups had moved when they were compared
-- with their rows. A rollup moves with every row that settles or goes back: row_count + reversed_count only grow.
create table ledger_check_day (
  publisher_id text collate "C" not null,
  group_id text collate "C" not null,
  day date not null,
  moves bigint not null,
  membership_ids uuid[] not null,
  membership_moves bigint[] not null check (cardinality(membership_moves) = cardinality(membership_ids)),
  primary key (publisher_id, group_id, day)
);
select distribute_by_publisher('ledger_check_day');

-- Payouts whose items were compared with their rows, as they stood then: made, or cancelled.
create table ledger_check_payout (
  publisher_id text collate "C" not null,
  batch_id uuid not null,
  is_cancelled boolean not null,
  primary key (publisher_id, batch_id)
);
select distribute_by_publisher('ledger_check_payout');

-- A member's sums are found by member; the columns never change, so updates of the sums stay in their page.
create index earning_rollup_by_member on earning_rollup (publisher_id, membership_id);
create index reward_payment_by_member on reward_payment (publisher_id, membership_id);
create index payout_item_by_member on payout_item (publisher_id, membership_id);
-- What a payout pays one member, however many it pays in all.
create index payment_by_batch_member on payment (publisher_id, payout_batch_id, membership_id) where payout_batch_id is not null;
create index reward_payment_by_batch_member on reward_payment (publisher_id, payout_batch_id, membership_id) where payout_batch_id is not null;
create index clawback_by_batch_member on clawback (publisher_id, payout_batch_id, membership_id) where payout_batch_id is not null;
drop index payment_by_batch, reward_payment_by_batch, clawback_by_batch;
