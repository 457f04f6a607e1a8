-- oldest program: 0.2.0
-- What became of each line of a payout, and money that came back (docs/adr/0077-results-of-lines.md).

-- Results that a payout's lines had, in this order: Sent, Paid, then Failed or Returned. A line without one has the state of its
-- payout. Rows are only added, so a line never goes back to an earlier result.
create table payout_result (
  publisher_id text collate "C" not null,
  item_id uuid not null,
  result text collate "C" not null check (result in ('Sent', 'Paid', 'Failed', 'Returned')),
  batch_id uuid not null,
  note text check (length(note) between 1 and 500),
  -- On the publisher's clock, like the time at which a payout was marked as paid.
  recorded_at timestamptz not null,
  recorded_by_kind text collate "C" not null check (length(recorded_by_kind) between 1 and 20),
  recorded_by_id text not null check (length(recorded_by_id) between 1 and 255),
  recorded_by_name text not null check (length(recorded_by_name) between 1 and 255),
  primary key (publisher_id, item_id, result)
);
select distribute_by_publisher('payout_result');
-- Items have no keys that refer to them: the owner can't lock a table that it can't update.
alter table payout_result add foreign key (publisher_id, batch_id) references payout_batch;
create index payout_result_by_batch on payout_result (publisher_id, batch_id);
-- The money of a line comes back at most once.
create unique index payout_result_one_end on payout_result (publisher_id, item_id) where result in ('Failed', 'Returned');
revoke update, delete, truncate on payout_result from current_user;

-- The amount of a line that failed or came back. It is owed again, and added to the member's next payout.
create table payout_return (
  publisher_id text collate "C" not null,
  item_id uuid not null,
  -- Payout of the line.
  from_batch_id uuid not null,
  group_id text collate "C" not null,
  membership_id uuid not null,
  currency text collate "C" not null,
  amount_minor numeric(40, 0) not null check (amount_minor > 0),
  -- As in clawback: when it was booked, the payout that it was added to, and when that payout was canceled.
  created_at timestamptz not null,
  payout_batch_id uuid,
  payable_at timestamptz,
  primary key (publisher_id, item_id)
);
select distribute_by_publisher('payout_return');
alter table payout_return add foreign key (publisher_id, from_batch_id) references payout_batch;
alter table payout_return add foreign key (publisher_id, payout_batch_id) references payout_batch;
create index payout_return_waiting on payout_return (publisher_id, group_id, currency, membership_id)
  where payout_batch_id is null;
create index payout_return_by_batch on payout_return (publisher_id, payout_batch_id, membership_id)
  where payout_batch_id is not null;
create index payout_return_by_line on payout_return (publisher_id, from_batch_id, created_at);
create index payout_return_by_time on payout_return (publisher_id, created_at);
revoke delete, truncate on payout_return from current_user;

-- Adjustments are clawbacks (negative) and amounts that came back (positive).
alter table payout_item drop constraint payout_item_adjustments_minor_check;

-- Number of the payout's lines whose money had come back when the payout was compared.
alter table ledger_check_payout add column return_count bigint not null default 0;
