-- oldest program: 0.2.0
-- Reinstatements of refunds (docs/adr/0079-reinstatement.md).

-- A reinstatement as it was requested. Requesting it again returns the same reinstatement.
create table purchase_reinstatement (
  publisher_id text collate "C" not null,
  transaction_id text collate "C" not null,
  -- The refund's id as the publisher sent it; otherwise the id of the first record of a status change or clawback.
  refund_key text collate "C" not null check (length(refund_key) between 1 and 255),
  reason text not null check (length(reason) between 1 and 500),
  -- Time at which the buyer's payment stood again, as sent; otherwise the time of the request.
  occurred_at timestamptz not null,
  created_at timestamptz not null,
  primary key (publisher_id, transaction_id, refund_key)
);
select distribute_by_publisher('purchase_reinstatement');
alter table purchase_reinstatement add foreign key (publisher_id) references publisher;
revoke update, delete, truncate on purchase_reinstatement from current_user;

-- What a reinstatement gave back of a row for one refund record: nothing if another reversal of the row stands. A record is
-- reinstated at most once. There is no foreign key to it, because checking it would require the right to update records.
create table reinstatement (
  publisher_id text collate "C" not null,
  reinstatement_id uuid not null,
  refund_id uuid not null,
  refund_key text collate "C" not null check (length(refund_key) between 1 and 255),
  attribution_id uuid not null,
  gross_minor bigint not null check (gross_minor >= 0),
  share_minor bigint not null check (share_minor >= 0),
  created_at timestamptz not null,
  primary key (publisher_id, reinstatement_id),
  unique (publisher_id, refund_id),
  check (gross_minor > 0 or share_minor = 0)
);
select distribute_by_publisher('reinstatement');
alter table reinstatement add foreign key (publisher_id, attribution_id) references payment;
create index reinstatement_by_row on reinstatement (publisher_id, attribution_id, reinstatement_id);
revoke update, delete, truncate on reinstatement from current_user;

-- The share that a reinstatement gave back of a row that was already paid. It is added to the member's next payout.
create table reinstatement_adjustment (
  publisher_id text collate "C" not null,
  reinstatement_id uuid not null,
  attribution_id uuid not null,
  group_id text collate "C" not null,
  membership_id uuid not null,
  currency text collate "C" not null,
  amount_minor bigint not null check (amount_minor > 0),
  -- As in clawback: when it was booked, the payout that it was added to, and when that payout was canceled.
  created_at timestamptz not null,
  payout_batch_id uuid,
  payable_at timestamptz,
  primary key (publisher_id, reinstatement_id)
);
select distribute_by_publisher('reinstatement_adjustment');
alter table reinstatement_adjustment add foreign key (publisher_id, attribution_id) references payment;
alter table reinstatement_adjustment add foreign key (publisher_id, payout_batch_id) references payout_batch;
create index reinstatement_adjustment_waiting on reinstatement_adjustment (publisher_id, group_id, currency, membership_id)
  where payout_batch_id is null;
create index reinstatement_adjustment_by_batch on reinstatement_adjustment (publisher_id, payout_batch_id, membership_id)
  where payout_batch_id is not null;
create index reinstatement_adjustment_by_row on reinstatement_adjustment (publisher_id, attribution_id);
create index reinstatement_adjustment_by_time on reinstatement_adjustment (publisher_id, created_at);
revoke delete, truncate on reinstatement_adjustment from current_user;

-- Time of the last reinstatement. Payouts with an earlier cutoff leave the row out.
alter table payment add column reinstated_at timestamptz;

-- Not validated: the entries so far have fewer kinds, and their amounts were checked.
alter table ledger_entry drop constraint ledger_entry_kind_check;
alter table ledger_entry add constraint ledger_entry_kind_check
  check (kind in ('payment', 'refund', 'adjustment', 'payout', 'payout-return', 'reinstatement')) not valid;
alter table ledger_entry drop constraint ledger_entry_check;
alter table ledger_entry add constraint ledger_entry_check check (
  case when kind in ('payment', 'payout-return', 'reinstatement') then amount_minor >= 0 else amount_minor <= 0 end
) not valid;
