-- oldest program: 0.2.0
-- A row stores its own share, which is determined when it is recorded, and the shares of all rules at that time
-- (docs/adr/0032-written-once.md).

-- The share and the rule that determined it. The next migration fills them for existing rows.
alter table attribution
  add column share_millionths integer,
  add column share_minor bigint,
  add column share_rule text collate "C",
  -- The schedule that covers the purchase's date, and its shares for the member's tier and for the group.
  add column schedule_id text collate "C",
  add column scheduled_tier_share_millionths integer,
  add column scheduled_share_millionths integer;

-- Not validated, which would scan the table: existing rows have no share yet.
alter table attribution
  add constraint attribution_share
    check (share_millionths between 0 and 1000000 and share_minor between 0 and subtotal_minor) not valid;
alter table attribution
  add constraint attribution_share_rule
    check (share_rule in ('sent', 'sku', 'scheduled-tier', 'scheduled-group', 'tier', 'group')) not valid;

-- Progress of the next migration by publisher: the last row that was copied. A later migration drops the table.
create table share_copy (
  publisher_id text collate "C" primary key,
  copied_through uuid not null
);
select distribute_by_publisher('share_copy');
