-- oldest program: 0.2.0
-- Monthly statements of creators (docs/adr/0094-monthly-statements.md).

-- A member's ledger entries of one month and currency. Written once, when the month is closed. A month in which nothing was
-- booked has no statement.
create table statement (
  publisher_id text collate "C" not null,
  membership_id uuid not null,
  currency text collate "C" not null,
  -- First day of the month, on the publisher's clock.
  month date not null check (extract(day from month) = 1),
  statement_id uuid not null,
  -- The membership, and those that were merged into it before the end of the month.
  membership_ids uuid[] not null check (cardinality(membership_ids) > 0),
  -- Start and (exclusive) end of the month on the service's clock, which entries use.
  entries_from timestamptz not null,
  entries_before timestamptz not null check (entries_before >= entries_from),
  -- Amounts that reduce the balance are negative. opening_minor is the closing_minor of the member's statement before.
  opening_minor numeric(40, 0) not null,
  earned_minor numeric(40, 0) not null check (earned_minor >= 0),
  bounties_minor numeric(40, 0) not null check (bounties_minor >= 0),
  -- Taken back before, and after, it was paid.
  reversed_minor numeric(40, 0) not null check (reversed_minor <= 0),
  clawed_back_minor numeric(40, 0) not null check (clawed_back_minor <= 0),
  reinstated_minor numeric(40, 0) not null check (reinstated_minor >= 0),
  -- Put into payouts, and returned by payouts that were canceled and lines that came back.
  to_payouts_minor numeric(40, 0) not null check (to_payouts_minor <= 0),
  from_payouts_minor numeric(40, 0) not null check (from_payouts_minor >= 0),
  -- Balances of memberships that were merged into this one during the month.
  claimed_minor numeric(40, 0) not null,
  closing_minor numeric(40, 0) not null,
  -- The payouts that the amounts above went into, and those that were paid in the month, with their state at its end.
  payouts jsonb not null check (jsonb_typeof(payouts) = 'array'),
  -- As they were when the statement was issued, so that its files never change.
  account_id text collate "C" not null,
  account_name text not null,
  group_id text collate "C" not null,
  group_name text not null,
  publisher_name text not null,
  issued_at timestamptz not null,
  primary key (publisher_id, membership_id, currency, month),
  unique (publisher_id, statement_id),
  check (closing_minor = opening_minor + earned_minor + bounties_minor + reversed_minor + clawed_back_minor + reinstated_minor
                         + to_payouts_minor + from_payouts_minor + claimed_minor)
);
select distribute_by_publisher('statement');
alter table statement add foreign key (publisher_id, membership_id) references membership;
revoke update, delete, truncate on statement from current_user;

-- The next month to close, and the membership up to which its statements are issued.
-- closes_at: an hour after the end of the month, on the publisher's clock.
create table statement_progress (
  publisher_id text collate "C" not null primary key,
  month date not null check (extract(day from month) = 1),
  closes_at timestamptz not null,
  done_to uuid not null default '00000000-0000-0000-0000-000000000000'
);
select distribute_by_publisher('statement_progress');
revoke delete, truncate on statement_progress from current_user;
alter table statement_progress add foreign key (publisher_id) references publisher;
create index statement_progress_due on statement_progress (closes_at);

-- The statements of existing publishers begin with the first full month after the upgrade.
insert into statement_progress (publisher_id, month, closes_at)
select publisher_id, (month + interval '1 month')::date, (month + interval '2 months') at time zone 'UTC' + interval '1 hour'
from (
  select p.publisher_id,
         date_trunc('month', (now() + coalesce(max(c.ahead_ms), 0) * interval '1 millisecond') at time zone 'UTC') as month
  from publisher p
  left join clock_move c on c.publisher_id = p.publisher_id
  group by p.publisher_id
) present;
