-- oldest program: 0.2.0
-- Reduces the size of stored purchases (docs/adr/0032-written-once.md).
--
-- Runs right after the switch, while the service is stopped: locks block nothing, and no running version relies on the columns
-- being not null.
-- squawk-ignore-file require-concurrent-index-creation, require-concurrent-index-deletion
-- squawk-ignore-file ban-drop-not-null, constraint-missing-not-valid

-- Rows with the same time are sorted when they are read, so the indexes on all rows don't need the id, which makes them a third
-- smaller. The partial indexes are small and keep it.
drop index attribution_by_group, attribution_by_member;
create index attribution_by_group on attribution (publisher_id, group_id, transaction_date);
create index attribution_by_member on attribution (publisher_id, membership_id, transaction_date);

-- Null: the same as the subtotal.
alter table attribution alter column total_minor drop not null, alter column total_currency drop not null;
alter table attribution
  add constraint attribution_total_whole check ((total_minor is null) = (total_currency is null)) not valid;
alter table attribution validate constraint attribution_total_whole;

-- Autovacuum updates the visibility map after 2 % of inserts instead of 20 %, so that counting and skipping by date needs only
-- an index.
alter table attribution set (autovacuum_vacuum_insert_scale_factor = 0.02);
