-- oldest program: 0.2.0
-- For bounties whose progress was checked before their start, and is checked again at their start.
-- squawk-ignore-file require-concurrent-index-creation
-- A publisher has tens of bounties, so scanning the table takes no time.
create index bounty_to_begin on bounty (publisher_id, starts_at) where last_progress_check < starts_at;
