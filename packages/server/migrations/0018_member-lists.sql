-- oldest program: 0.2.0
-- Indexes for the dashboard's lists of members: by status, newest first, of a group or the whole publisher; by tier; and by the
-- start of a name.

-- squawk-ignore require-concurrent-index-creation -- takes seconds with a million members; reads and recording continue
create index membership_by_status on membership (publisher_id, status, membership_id) where merged_into is null;
-- squawk-ignore require-concurrent-index-creation -- the same
create index membership_by_group_status on membership (publisher_id, group_id, status, membership_id)
  where merged_into is null;
-- squawk-ignore require-concurrent-index-creation -- the same
create index membership_by_tier on membership (publisher_id, tier_id, status, membership_id) where tier_id is not null;
-- In byte order, so that names with a prefix are a range of the index in any locale.
-- squawk-ignore require-concurrent-index-creation -- the same
create index creator_account_name on creator_account ((lower(name) collate "C"));
