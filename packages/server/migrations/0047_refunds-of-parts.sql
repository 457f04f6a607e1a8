-- oldest program: 0.2.0
-- Refunds of a part of a purchase (docs/adr/0074-refunds-of-parts.md).

-- A refund as the publisher sent it. Sending it again returns the same refund.
create table purchase_refund (
  publisher_id text collate "C" not null,
  transaction_id text collate "C" not null,
  sent_refund_id text collate "C" not null check (length(sent_refund_id) between 1 and 255),
  reason text collate "C" not null check (reason in ('Refund', 'Fraud', 'Chargeback')),
  -- The amounts as sent, in one form, to recognize the same request.
  requested text collate "C" not null check (length(requested) between 2 and 200000),
  -- Time at which the buyer got the money back, as sent; otherwise the time of the request.
  occurred_at timestamptz not null,
  created_at timestamptz not null,
  primary key (publisher_id, transaction_id, sent_refund_id)
);
select distribute_by_publisher('purchase_refund');
alter table purchase_refund add foreign key (publisher_id) references publisher;
revoke update, delete, truncate on purchase_refund from current_user;

-- The part of a row that a record took back. Null for a record that took back a whole row, and for one that took back nothing.
alter table refund_record
  add column gross_minor bigint,
  add column share_minor bigint,
  -- Refund that the record belongs to; null for a change of the status.
  add column sent_refund_id text collate "C";
-- Not validated, here and below: the columns are new, so older rows have nothing to check.
alter table refund_record add constraint refund_record_part check (
  case
    when gross_minor is null then share_minor is null and sent_refund_id is null
    else reverses_money and gross_minor >= 1 and share_minor >= 0 and share_minor is not null
  end
) not valid;
-- A row is taken back whole at most once, and a refund takes back at most one part of a row.
-- squawk-ignore require-concurrent-index-deletion -- replaced in the same commit
drop index refund_record_one_reversal;
-- squawk-ignore require-concurrent-index-creation -- delays reversals, not recording, while a narrow table is read once
create unique index refund_record_one_reversal on refund_record (publisher_id, attribution_id)
  where reverses_money and gross_minor is null;
-- squawk-ignore require-concurrent-index-creation -- the same
create unique index refund_record_of_refund on refund_record (publisher_id, attribution_id, sent_refund_id)
  where sent_refund_id is not null;

-- Sums of the parts taken back so far; null for a payment without parts. They never exceed the payment.
alter table payment
  add column subtotal_minor bigint,
  add column refunded_minor bigint,
  add column reversed_minor bigint,
  -- Time of the last part.
  add column part_at timestamptz;
alter table payment add constraint payment_parts check (
  case
    when refunded_minor is null then subtotal_minor is null and reversed_minor is null and part_at is null
    else subtotal_minor is not null and reversed_minor is not null and part_at is not null
      and refunded_minor between 0 and subtotal_minor and reversed_minor between 0 and share_minor
      and (reversed_at is not null) = (refunded_minor = subtotal_minor)
      and (reversed_at is null or reversed_minor = share_minor)
  end
) not valid;
-- For lists of purchases with refunds.
-- squawk-ignore require-concurrent-index-creation -- delays payouts and reversals, not recording, while payments are read once
create index payment_in_parts_by_group on payment (publisher_id, group_id, transaction_date, attribution_id)
  where refunded_minor is not null;
-- The same, and for comparing a member's day with its rows.
-- squawk-ignore require-concurrent-index-creation -- the same
create index payment_in_parts_by_member on payment (publisher_id, membership_id, transaction_date, attribution_id)
  where refunded_minor is not null;

-- Number of parts taken back of the rows, which tells a verification that a day has changed.
alter table earning_rollup add column part_count bigint not null default 0;
