-- oldest program: 0.2.0
-- A code of a second factor is good once, and a token says who made it (docs/adr/0035-accounts.md).

-- The thirty seconds since 1970 of the last code that was taken; null: none was.
alter table staff_two_factor add column last_step bigint;

-- Null: before this. Whoever made it answers for what is done with it.
alter table operator_token
  add column created_by_kind text collate "C",
  add column created_by_id text check (length(created_by_id) <= 255),
  add column created_by_name text check (length(created_by_name) <= 255);
