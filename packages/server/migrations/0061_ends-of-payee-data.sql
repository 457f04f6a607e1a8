-- oldest program: 0.2.0
-- Deletes the sealed account of a payout method some time after the method ended, and counts a payout calendar from the time
-- when it was set (docs/adr/0088-ends-of-payee-data.md).

-- sealed: null once the account was deleted.
-- squawk-ignore ban-drop-not-null -- no released version reads this table
alter table payee_method alter column sealed drop not null;
-- squawk-ignore constraint-missing-not-valid -- the table is new in this release, so it is empty
alter table payee_method add constraint payee_method_deleted check (sealed is not null or ended_at is not null);
-- squawk-ignore require-concurrent-index-creation -- the table is new in this release, so it is empty
create index payee_method_ended on payee_method (publisher_id, ended_at) where ended_at is not null and sealed is not null;
-- squawk-ignore require-concurrent-index-creation -- delays payouts, not recording, while payout lines are read once
create index payout_item_method on payout_item (publisher_id, method_id) where method_id is not null;

-- Tax clearances that end soon.
-- squawk-ignore require-concurrent-index-creation -- the table is new in this release, so it is empty
create index payee_gate_ending on payee_gate (publisher_id, until_at) where kind = 'tax' and until_at is not null;

-- When the calendar's day was set, on the publisher's clock. Days before it were not planned.
alter table creator_group add column payout_calendar_set_at timestamptz;
