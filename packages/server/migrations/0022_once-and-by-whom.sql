-- oldest program: 0.2.0
-- A second factor's code can be used only once, and a token has its creator (docs/adr/0035-accounts.md).

-- Number of the 30-second step since 1970 of the last accepted code; null when there was none.
alter table staff_two_factor add column last_step bigint;

-- Creator of the token, who is responsible for its use; null for tokens from before this migration.
alter table operator_token
  add column created_by_kind text collate "C",
  add column created_by_id text check (length(created_by_id) <= 255),
  add column created_by_name text check (length(created_by_name) <= 255);
