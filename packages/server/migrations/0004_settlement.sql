-- What a purchase earns its member: settled in sets by a background process, and kept in a ledger.

-- The queue of settlement: one row a recording commit, with the rows that it saved. Taken with skip locked,
-- deleted in the commit that settles them.
create table unsettled (
  publisher_id text collate "C" not null,
  unsettled_id uuid not null,
  attribution_ids uuid[] not null check (cardinality(attribution_ids) > 0),
  primary key (publisher_id, unsettled_id)
);
select distribute_by_publisher('unsettled');

-- Purchases recorded before there was a settlement wait for it too, a thousand at a time.
insert into unsettled (publisher_id, unsettled_id, attribution_ids)
select publisher_id, (array_agg(attribution_id))[1], array_agg(attribution_id)
from (
  select publisher_id, attribution_id, row_number() over (partition by publisher_id order by attribution_id) / 1000 as part
  from attribution
  where not is_test
) a
group by publisher_id, part;

-- A payment made by a status change before settlement waits for its share: settled_at is null.
alter table payment
  add column group_id text collate "C",
  add column membership_id uuid,
  add column currency text collate "C",
  add column transaction_date timestamptz,
  add column share_millionths integer check (share_millionths between 0 and 1000000),
  add column share_minor bigint check (share_minor between 0 and 9007199254740991),
  -- Which rule decided, and the id of what it read (docs/shares.md).
  add column share_rule text collate "C" check (share_rule in ('sent', 'sku', 'scheduled-tier', 'scheduled-group', 'tier', 'group')),
  add column share_source text,
  add column settled_at timestamptz,
  add column reversed_at timestamptz,
  add constraint payment_settled_whole check (
    settled_at is null
    or (group_id is not null and membership_id is not null and currency is not null and transaction_date is not null
        and share_millionths is not null and share_minor is not null and share_rule is not null)
  );
update payment p
set reversed_at = r.created_at
from refund_record r
where r.publisher_id = p.publisher_id and r.attribution_id = p.attribution_id and r.reverses_money;
-- What a payout run looks for: settled, not reversed, not yet in a batch.
create index payment_payable on payment (publisher_id, group_id, currency, membership_id, transaction_date)
  where payout_batch_id is null and reversed_at is null and settled_at is not null;
create index payment_by_batch on payment (publisher_id, payout_batch_id) where payout_batch_id is not null;

-- Append-only. Positive: owed to the member; negative: taken back or paid. subject_id is the attribution of
-- a payment, refund or adjustment, and the payout item of a payout or its return.
create table ledger_entry (
  publisher_id text collate "C" not null,
  subject_id uuid not null,
  kind text collate "C" not null check (kind in ('payment', 'refund', 'adjustment', 'payout', 'payout-return')),
  membership_id uuid not null,
  currency text collate "C" not null,
  amount_minor numeric(40, 0) not null,
  created_at timestamptz not null default now(),
  primary key (publisher_id, subject_id, kind),
  -- A payment of nothing is an entry too, so that every settled row has one.
  check (case when kind in ('payment', 'payout-return') then amount_minor >= 0 else amount_minor <= 0 end)
);
select distribute_by_publisher('ledger_entry');
-- A payment's money goes back once: as a refund, or after a payout as an adjustment.
create unique index ledger_entry_one_reversal on ledger_entry (publisher_id, subject_id)
  where kind in ('refund', 'adjustment');
revoke update, delete, truncate on ledger_entry from current_user;

-- What each member is owed: the sum of the ledger, kept so that nobody has to add it up.
create table member_balance (
  publisher_id text collate "C" not null,
  membership_id uuid not null,
  currency text collate "C" not null,
  balance_minor numeric(40, 0) not null,
  primary key (publisher_id, membership_id, currency)
);
select distribute_by_publisher('member_balance');
alter table member_balance add foreign key (publisher_id, membership_id) references membership;

-- Sums for people to look at, by the UTC day of the purchase.
create table earning_rollup (
  publisher_id text collate "C" not null,
  group_id text collate "C" not null,
  day date not null,
  membership_id uuid not null,
  code text collate "C" not null,
  currency text collate "C" not null,
  row_count bigint not null,
  gross_minor numeric(40, 0) not null,
  share_minor numeric(40, 0) not null,
  reversed_count bigint not null,
  reversed_gross_minor numeric(40, 0) not null,
  reversed_share_minor numeric(40, 0) not null,
  primary key (publisher_id, group_id, day, membership_id, code, currency)
);
select distribute_by_publisher('earning_rollup');

/*
 * A member's share of a subtotal, in whole minor units, rounded half-even. Exact: numeric, never floating
 * point. The same rule as round-share.ts, held together by a property test.
 */
create function share_of(subtotal_minor bigint, share_millionths integer) returns bigint
language sql immutable strict parallel safe
return (
  select (whole + case when twice > 1000000 or (twice = 1000000 and whole % 2 = 1) then 1 else 0 end)::bigint
  from (
    select div(subtotal_minor::numeric * share_millionths, 1000000) as whole,
           mod(subtotal_minor::numeric * share_millionths, 1000000) * 2 as twice
  ) parts
);
