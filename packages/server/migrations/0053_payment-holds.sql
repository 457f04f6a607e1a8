-- oldest program: 0.2.0
-- Holds, which keep payments out of payouts (docs/adr/0078-holds.md).

-- A hold keeps one row of a purchase (attribution_id), or everything that a creator is due in a group or in all groups
-- (account_id), out of payouts.
-- number: counts the holds of a subject. A subject's next hold can be placed only when its last hold is over, so that
-- two concurrent holds would have the same number.
-- ends_at: time on the publisher's clock at which the hold ends by itself. The other times are on the service's clock.
create table payment_hold (
  publisher_id text collate "C" not null,
  hold_id uuid not null,
  subject text collate "C" not null check (length(subject) between 1 and 600),
  number integer not null check (number >= 1),
  attribution_id uuid,
  account_id text collate "C",
  group_id text collate "C",
  reason text not null check (length(reason) between 1 and 500),
  ends_at timestamptz,
  placed_at timestamptz not null,
  placed_by_kind text collate "C" not null check (length(placed_by_kind) between 1 and 20),
  placed_by_id text collate "C" not null check (length(placed_by_id) between 1 and 255),
  placed_by_name text not null check (length(placed_by_name) between 1 and 255),
  primary key (publisher_id, hold_id),
  unique (publisher_id, subject, number),
  check (num_nonnulls(attribution_id, account_id) = 1),
  check (attribution_id is null or group_id is not null)
);
select distribute_by_publisher('payment_hold');
alter table payment_hold add foreign key (publisher_id) references publisher;
create index payment_hold_row on payment_hold (publisher_id, attribution_id) where attribution_id is not null;
create index payment_hold_account on payment_hold (publisher_id, account_id) where account_id is not null;
revoke update, delete, truncate on payment_hold from current_user;

-- The release of a hold. A hold is released at most once. There is no foreign key to the hold, because checking it would
-- require the right to update holds.
create table payment_hold_release (
  publisher_id text collate "C" not null,
  hold_id uuid not null,
  reason text not null check (length(reason) between 1 and 500),
  released_at timestamptz not null,
  released_by_kind text collate "C" not null check (length(released_by_kind) between 1 and 20),
  released_by_id text collate "C" not null check (length(released_by_id) between 1 and 255),
  released_by_name text not null check (length(released_by_name) between 1 and 255),
  primary key (publisher_id, hold_id)
);
select distribute_by_publisher('payment_hold_release');
alter table payment_hold_release add foreign key (publisher_id) references publisher;
create index payment_hold_release_time on payment_hold_release (publisher_id, released_at);
revoke update, delete, truncate on payment_hold_release from current_user;

-- True once a hold was placed on the row, so that payouts look up the holds of these rows only.
alter table payment add column has_holds boolean not null default false;
