-- oldest program: 0.2.0
-- Clawbacks of a part of a payment (docs/adr/0080-clawbacks-of-parts.md).

-- A row can be clawed back in several parts, so a clawback is identified by its refund record. What all parts take back of a
-- row is summed in its payment, where a check keeps it within the share.
alter table clawback add column refund_id uuid;
-- Until now, a clawback took back all that was left of a row, so its record is the row's last one that took back money.
update clawback c
set refund_id = (
  select r.refund_id
  from refund_record r
  where r.publisher_id = c.publisher_id and r.attribution_id = c.attribution_id and r.reverses_money
  order by r.refund_id desc
  limit 1
);
-- squawk-ignore adding-not-nullable-field -- delays clawbacks and payouts, not recording, while a small table is read once
alter table clawback alter column refund_id set not null;
alter table clawback drop constraint clawback_pkey;
-- squawk-ignore constraint-missing-not-valid, adding-serial-primary-key-field -- the same
alter table clawback add primary key (publisher_id, refund_id);
-- squawk-ignore require-concurrent-index-creation -- the same
create index clawback_by_row on clawback (publisher_id, attribution_id);
-- squawk-ignore require-concurrent-index-deletion -- replaced by the next index, in which refund_id makes the order complete
drop index clawback_by_time;
-- squawk-ignore require-concurrent-index-creation -- the same
create index clawback_by_time on clawback (publisher_id, created_at, refund_id);
