-- oldest program: 0.2.0
-- A bounty whose progress was checked before it began is checked again when it begins.
-- squawk-ignore-file require-concurrent-index-creation
-- A publisher has tens of bounties: the table is looked at in a blink.
create index bounty_to_begin on bounty (publisher_id, starts_at) where last_progress_check < starts_at;
