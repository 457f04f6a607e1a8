-- oldest program: 0.2.0
-- A row keeps its own share: decided when it is recorded, with what every rule offered then (docs/adr/0032-written-once.md).

-- What decides, and how much it is; the next migration fills it for the rows of before.
alter table attribution
  add column share_millionths integer,
  add column share_minor bigint,
  add column share_rule text collate "C",
  -- The schedule that covers the purchase's date, and what it offers the member's tier, and everybody.
  add column schedule_id text collate "C",
  add column scheduled_tier_share_millionths integer,
  add column scheduled_share_millionths integer;

-- Not looked for in the rows that are there, which have none of it yet; so this takes no time.
alter table attribution
  add constraint attribution_share
    check (share_millionths between 0 and 1000000 and share_minor between 0 and subtotal_minor) not valid;
alter table attribution
  add constraint attribution_share_rule
    check (share_rule in ('sent', 'sku', 'scheduled-tier', 'scheduled-group', 'tier', 'group')) not valid;

-- How far the next migration is with each publisher's rows, by their ids. It goes with the last of them.
create table share_copy (
  publisher_id text collate "C" primary key,
  copied_through uuid not null
);
select distribute_by_publisher('share_copy');
