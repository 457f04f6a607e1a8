-- oldest program: 0.2.0
-- Lists of members for people: by status, newest first, of a group or of the whole publisher, by tier, and found by the
-- first letters of a name.

-- squawk-ignore require-concurrent-index-creation -- seconds at a million members, while members can be read and codes credit
create index membership_by_status on membership (publisher_id, status, membership_id) where merged_into is null;
-- squawk-ignore require-concurrent-index-creation -- the same
create index membership_by_group_status on membership (publisher_id, group_id, status, membership_id)
  where merged_into is null;
-- squawk-ignore require-concurrent-index-creation -- the same
create index membership_by_tier on membership (publisher_id, tier_id, status, membership_id) where tier_id is not null;
-- In the order of bytes, so that the names with a prefix are a range of it, whatever the database's locale.
-- squawk-ignore require-concurrent-index-creation -- the same
create index creator_account_name on creator_account ((lower(name) collate "C"));
