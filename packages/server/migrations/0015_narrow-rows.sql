-- oldest program: 0.2.0
-- What a purchase stores and writes is less (docs/adr/0032-written-once.md).
--
-- It follows the switch in the same stop, when nothing runs whom a lock could hold up, and no program reads the columns
-- that says they are always there.
-- squawk-ignore-file require-concurrent-index-creation, require-concurrent-index-deletion
-- squawk-ignore-file ban-drop-not-null, constraint-missing-not-valid

-- Rows of one moment are sorted when they are read, and the indexes that every row is in need not hold its id: they are
-- a third smaller. Those of unusual rows are small, and hold it.
drop index attribution_by_group, attribution_by_member;
create index attribution_by_group on attribution (publisher_id, group_id, transaction_date);
create index attribution_by_member on attribution (publisher_id, membership_id, transaction_date);

-- Null: the same as the subtotal.
alter table attribution alter column total_minor drop not null, alter column total_currency drop not null;
alter table attribution
  add constraint attribution_total_whole check ((total_minor is null) = (total_currency is null)) not valid;
alter table attribution validate constraint attribution_total_whole;

-- Which pages hold nothing but rows that everybody sees is looked at after every fiftieth row, not every fifth: what is
-- counted or skipped by dates is read from an index alone then.
alter table attribution set (autovacuum_vacuum_insert_scale_factor = 0.02);
