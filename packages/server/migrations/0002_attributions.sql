-- Purchases credited to creators, and the payment side of each row.

-- One row credits one member with one purchase; the rows of a split purchase share transaction_id.
-- The row with split_index 0 is the purchase's claim: whoever inserts it owns the transactionId, so a
-- repeated purchase cannot be saved, whatever runs at once (docs/adr/0004-recording.md).
--
-- tier_id … group_share_millionths keep what was in force when the row was recorded.
create table attribution (
  publisher_id text collate "C" not null,
  attribution_id uuid not null,
  transaction_id text collate "C" not null check (length(transaction_id) between 1 and 255),
  split_index smallint not null check (split_index between 0 and 999),
  group_id text collate "C" not null,
  membership_id uuid not null,
  code text collate "C" not null,
  description text not null,
  status text collate "C" not null check (status in ('Normal', 'Test', 'Refund', 'Fraud', 'Chargeback')),
  is_test boolean not null,
  origin text collate "C" not null check (origin in ('api', 'webshopCode', 'storefrontCode')),
  subtotal_minor bigint not null check (subtotal_minor between 1 and 9007199254740991),
  currency text collate "C" not null check (currency ~ '^[A-Z]{3}$'),
  total_minor bigint not null check (total_minor between 0 and 9007199254740991),
  total_currency text collate "C" not null check (total_currency ~ '^[A-Z]{3}$'),
  transaction_date timestamptz not null,
  platform text collate "C",
  player_id text,
  player_name text,
  sku_id text collate "C",
  metrics jsonb,
  sent_share_millionths integer check (sent_share_millionths between 10000 and 1000000),
  sku_share_millionths integer check (sku_share_millionths between 0 and 1000000),
  tier_id uuid,
  tier_share_millionths integer check (tier_share_millionths between 0 and 1000000),
  group_share_millionths integer not null check (group_share_millionths between 0 and 1000000),
  recorded_at timestamptz not null default now(),
  primary key (publisher_id, attribution_id),
  constraint attribution_claim unique (publisher_id, transaction_id, split_index)
);
select distribute_by_publisher('attribution');
-- No foreign key to membership: it took half the time of recording, because each commit locks, and so writes,
-- every membership it credits. Instead the recording statement takes memberships of a programme it has checked,
-- and no membership can be deleted (docs/adr/0004-recording.md); `ledger verify` looks all the same.
revoke delete, truncate on membership from current_user;

-- One index for each way of listing, in the listing's order; the partial ones cost a Normal row nothing.
create index attribution_by_group on attribution (publisher_id, group_id, transaction_date, attribution_id);
create index attribution_by_member on attribution (publisher_id, membership_id, transaction_date, attribution_id);
create index attribution_by_code on attribution (publisher_id, group_id, lower(code), transaction_date, attribution_id);
create index attribution_by_group_status on attribution (publisher_id, group_id, transaction_date, attribution_id)
  where status <> 'Normal';
create index attribution_by_member_status on attribution (publisher_id, membership_id, transaction_date, attribution_id)
  where status <> 'Normal';
create index attribution_by_group_origin on attribution (publisher_id, group_id, transaction_date, attribution_id)
  where origin <> 'api';

-- The payment transaction of a row: one per row, made by whichever comes first, settlement or a status
-- change. Payout stamps live here, beside the append-only records of money, never in them.
create table payment (
  publisher_id text collate "C" not null,
  attribution_id uuid not null,
  is_fraud boolean not null default false,
  payout_batch_id uuid,
  payout_payment_id text collate "C",
  paid_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (publisher_id, attribution_id),
  check (paid_at is null or payout_batch_id is not null or payout_payment_id is not null)
);
select distribute_by_publisher('payment');
alter table payment add foreign key (publisher_id, attribution_id) references attribution;

-- Append-only. Only the first refund record of a payment reverses its money.
create table refund_record (
  publisher_id text collate "C" not null,
  refund_id uuid not null,
  attribution_id uuid not null,
  action text collate "C" not null check (action in ('Refund', 'Fraud', 'Chargeback')),
  reverses_money boolean not null,
  created_at timestamptz not null default now(),
  primary key (publisher_id, refund_id)
);
select distribute_by_publisher('refund_record');
alter table refund_record add foreign key (publisher_id, attribution_id) references payment;
create index refund_record_payment on refund_record (publisher_id, attribution_id, refund_id);
create unique index refund_record_one_reversal on refund_record (publisher_id, attribution_id) where reverses_money;
revoke update, delete, truncate on refund_record from current_user;
