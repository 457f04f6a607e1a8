-- Linking creators' accounts to a publisher's players, and claiming what a publisher made for them.

-- A code that a creator gives to a publisher; one an account, and only its HMAC is kept. An expired one stays until
-- the next one replaces it, so that the creator is told that it expired.
create table auth_code (
  account_id text collate "C" primary key,
  code_hash bytea not null unique check (length(code_hash) = 32),
  issued_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > issued_at)
);
comment on table auth_code is 'reference: belongs to a creator account, and any publisher may be given it';
select replicate_to_all_nodes('auth_code');
alter table auth_code add foreign key (account_id) references creator_account;

-- Set when another account has claimed everything that this one was (docs/adr/0012-merged-memberships.md).
alter table creator_account
  add column closed_at timestamptz,
  -- By whom: the last one when that one was claimed too, so that it never needs more than one step either.
  add column claimed_by text collate "C",
  add constraint creator_account_claimed check (claimed_by is null or (closed_at is not null and claimed_by <> account_id)),
  add foreign key (claimed_by) references creator_account;
create index creator_account_claimed_by on creator_account (claimed_by) where claimed_by is not null;

-- Where a claimed membership went whose claimer had one of the group already. Rows of money and attributions keep
-- the membership they were made with; readers follow this pointer, which never needs more than one step.
alter table membership
  add column merged_into uuid,
  add constraint membership_merged check (merged_into is null or (status = 'Removed' and merged_into <> membership_id)),
  add foreign key (publisher_id, group_id, merged_into) references membership (publisher_id, group_id, membership_id);
create index membership_merged_into on membership (publisher_id, merged_into) where merged_into is not null;

-- Player ids that memberships had until they came back by a claim under another one: history is found by these too.
create table former_player (
  publisher_id text collate "C" not null,
  group_id text collate "C" not null,
  player_id text collate "C" not null,
  membership_id uuid not null,
  primary key (publisher_id, group_id, player_id, membership_id)
);
select distribute_by_publisher('former_player');
alter table former_player
  add foreign key (publisher_id, group_id, membership_id) references membership (publisher_id, group_id, membership_id);

-- An account may now be a member at several publishers: found by account first.
drop index membership_account;
create index membership_account on membership (account_id, publisher_id);
