-- Paying members: a batch takes the payable payments of one group and currency, one item a member.

create table payout_batch (
  publisher_id text collate "C" not null,
  batch_id uuid not null,
  group_id text collate "C" not null,
  currency text collate "C" not null,
  -- Rows settled after this moment, or still held at it, are not in the batch.
  as_of timestamptz not null,
  status text collate "C" not null check (status in ('Created', 'Paid', 'Cancelled')),
  total_minor numeric(40, 0) not null check (total_minor > 0),
  member_count integer not null check (member_count > 0),
  row_count bigint not null check (row_count >= 0),
  created_at timestamptz not null default now(),
  paid_at timestamptz,
  cancelled_at timestamptz,
  primary key (publisher_id, batch_id),
  check ((status = 'Paid') = (paid_at is not null)),
  check ((status = 'Cancelled') = (cancelled_at is not null))
);
select distribute_by_publisher('payout_batch');
alter table payout_batch add foreign key (publisher_id, group_id) references creator_group;

create table payout_item (
  publisher_id text collate "C" not null,
  item_id uuid not null,
  batch_id uuid not null,
  membership_id uuid not null,
  row_count bigint not null check (row_count >= 0),
  payments_minor numeric(40, 0) not null check (payments_minor >= 0),
  adjustments_minor numeric(40, 0) not null check (adjustments_minor <= 0),
  amount_minor numeric(40, 0) not null check (amount_minor > 0 and amount_minor = payments_minor + adjustments_minor),
  primary key (publisher_id, item_id),
  unique (publisher_id, batch_id, membership_id)
);
select distribute_by_publisher('payout_item');
alter table payout_item
  add foreign key (publisher_id, batch_id) references payout_batch,
  add foreign key (publisher_id, membership_id) references membership;

alter table payment add foreign key (publisher_id, payout_batch_id) references payout_batch (publisher_id, batch_id);

-- Money taken back of a row already paid: it lessens the member's next payout.
create table clawback (
  publisher_id text collate "C" not null,
  attribution_id uuid not null,
  group_id text collate "C" not null,
  membership_id uuid not null,
  currency text collate "C" not null,
  amount_minor bigint not null check (amount_minor >= 0),
  created_at timestamptz not null,
  payout_batch_id uuid,
  primary key (publisher_id, attribution_id)
);
select distribute_by_publisher('clawback');
alter table clawback
  add foreign key (publisher_id, attribution_id) references payment,
  add foreign key (publisher_id, payout_batch_id) references payout_batch (publisher_id, batch_id);
create index clawback_waiting on clawback (publisher_id, group_id, currency, membership_id) where payout_batch_id is null;
