-- What every later table stands on: publishers and their groups, creators and their codes, API keys.
--
-- Two kinds of tables (docs/adr/0005-tenants.md):
--   tenant     leads with publisher_id in its key, in every unique and every foreign key;
--   reference  shared by publishers, marked by a comment that starts with "reference:";
--              it never points at a tenant table.

/* Spreads a table over the nodes of a Citus cluster; does nothing on plain PostgreSQL. */
create function distribute_by_publisher(table_name text) returns void
language plpgsql as $$
begin
  if exists (select 1 from pg_extension where extname = 'citus') then
    execute format('select create_distributed_table(%L, %L)', table_name, 'publisher_id');
  end if;
end $$;

/* Copies a reference table to every node of a Citus cluster; does nothing on plain PostgreSQL. */
create function replicate_to_all_nodes(table_name text) returns void
language plpgsql as $$
begin
  if exists (select 1 from pg_extension where extname = 'citus') then
    execute format('select create_reference_table(%L)', table_name);
  end if;
end $$;

-- Secrets of this installation that every process must share, such as the one that signs cursors.
create table service_secret (
  name text collate "C" primary key,
  value bytea not null check (length(value) >= 32)
);
comment on table service_secret is 'reference: secrets shared by the processes of one installation';
select replicate_to_all_nodes('service_secret');

-- programme_version moves with every change that recording reads (groups, codes, memberships, tiers,
-- SKU shares). A commit names the version it was prepared with, so what processes keep in memory can
-- be old but never wrong.
create table publisher (
  publisher_id text collate "C" primary key check (publisher_id ~ '^[a-z0-9][a-z0-9_-]{0,63}$'),
  name text not null check (length(name) between 1 and 255),
  programme_version bigint not null default 1,
  created_at timestamptz not null default now()
);
select distribute_by_publisher('publisher');

-- publisher_id is no foreign key: a reference table may not point at a tenant table.
create table api_key (
  key_hash bytea primary key check (length(key_hash) = 32),
  key_id text collate "C" not null unique,
  publisher_id text collate "C" not null,
  name text not null check (length(name) between 1 and 255),
  kind text collate "C" not null check (kind in ('secret', 'public')),
  group_id text collate "C",
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz
);
comment on table api_key is 'reference: found by hash before the publisher is known';
select replicate_to_all_nodes('api_key');
create unique index api_key_name on api_key (publisher_id, name) where revoked_at is null;

-- owner_publisher_id: the publisher whose program file made the account, until a creator claims it.
create table creator_account (
  account_id text collate "C" primary key check (length(account_id) between 1 and 255),
  name text not null check (length(name) between 1 and 255),
  logo_image text,
  profile_image text,
  owner_publisher_id text collate "C",
  created_at timestamptz not null default now()
);
comment on table creator_account is 'reference: one creator may be a member at several publishers';
select replicate_to_all_nodes('creator_account');

create table creator_identity (
  provider text collate "C" not null check (length(provider) between 1 and 64),
  provider_account_id text collate "C" not null check (length(provider_account_id) between 1 and 255),
  account_id text collate "C" not null,
  primary key (provider, provider_account_id)
);
comment on table creator_identity is 'reference: sign-in identities of creator accounts';
select replicate_to_all_nodes('creator_identity');
alter table creator_identity add foreign key (account_id) references creator_account;
create index creator_identity_account on creator_identity (account_id);
create index creator_identity_provider_account on creator_identity (provider_account_id);

-- A code of a creator, good in every group the creator is a member of.
create table global_code (
  code_folded text collate "C" primary key check (code_folded = lower(code)),
  code text collate "C" not null check (code ~ '^[A-Za-z0-9_-]{2,32}$'),
  account_id text collate "C" not null,
  is_primary boolean not null default false,
  is_generated boolean not null default false,
  is_managed boolean not null default false,
  is_approved boolean not null default true,
  created_at timestamptz not null default now()
);
comment on table global_code is 'reference: codes belong to creator accounts, which publishers share';
select replicate_to_all_nodes('global_code');
alter table global_code add foreign key (account_id) references creator_account;
create index global_code_account on global_code (account_id);
create unique index global_code_one_primary on global_code (account_id) where is_primary;

create table creator_group (
  publisher_id text collate "C" not null,
  group_id text collate "C" not null check (length(group_id) between 1 and 64),
  name text not null check (length(name) between 1 and 255),
  is_default boolean not null default false,
  share_millionths integer not null check (share_millionths between 0 and 1000000),
  code_ttl_days integer not null default 30 check (code_ttl_days between 1 and 3650),
  hold_days integer not null default 30 check (hold_days between 0 and 3650),
  payout_minimums jsonb not null default '{}' check (jsonb_typeof(payout_minimums) = 'object'),
  disabled_currencies text[] not null default '{}',
  created_at timestamptz not null default now(),
  primary key (publisher_id, group_id)
);
select distribute_by_publisher('creator_group');
alter table creator_group add foreign key (publisher_id) references publisher;
create unique index creator_group_one_default on creator_group (publisher_id) where is_default;

create table tier (
  publisher_id text collate "C" not null,
  tier_id uuid not null,
  group_id text collate "C" not null,
  name text not null check (length(name) between 1 and 255),
  share_millionths integer not null check (share_millionths between 0 and 1000000),
  created_at timestamptz not null default now(),
  primary key (publisher_id, tier_id),
  unique (publisher_id, group_id, tier_id),
  unique (publisher_id, group_id, name)
);
select distribute_by_publisher('tier');
alter table tier add foreign key (publisher_id, group_id) references creator_group;

create table sku_share (
  publisher_id text collate "C" not null,
  group_id text collate "C" not null,
  sku_id text collate "C" not null check (length(sku_id) between 1 and 255),
  share_millionths integer not null check (share_millionths between 0 and 1000000),
  primary key (publisher_id, group_id, sku_id)
);
select distribute_by_publisher('sku_share');
alter table sku_share add foreign key (publisher_id, group_id) references creator_group;

create table membership (
  publisher_id text collate "C" not null,
  membership_id uuid not null,
  group_id text collate "C" not null,
  account_id text collate "C" not null,
  player_id text collate "C" check (length(player_id) between 1 and 255),
  player_metadata json,
  status text collate "C" not null check (status in ('Approved', 'Pending', 'Removed')),
  is_visible boolean not null default true,
  tier_id uuid,
  created_at timestamptz not null default now(),
  primary key (publisher_id, membership_id),
  unique (publisher_id, group_id, membership_id),
  unique (publisher_id, group_id, account_id)
);
select distribute_by_publisher('membership');
alter table membership
  add foreign key (publisher_id, group_id) references creator_group,
  add foreign key (publisher_id, group_id, tier_id) references tier (publisher_id, group_id, tier_id),
  add foreign key (account_id) references creator_account;
-- Removed members keep their player id for history; it is free for another member all the same.
create unique index membership_one_player on membership (publisher_id, group_id, player_id)
  where status <> 'Removed';
create index membership_player on membership (publisher_id, group_id, player_id);
create index membership_account on membership (publisher_id, account_id);

-- A code that belongs to one group alone. There it wins over a global code of the same text.
create table group_code (
  publisher_id text collate "C" not null,
  group_id text collate "C" not null,
  code_folded text collate "C" not null check (code_folded = lower(code)),
  code text collate "C" not null check (code ~ '^[A-Za-z0-9_-]{2,32}$'),
  membership_id uuid not null,
  is_primary boolean not null default false,
  is_generated boolean not null default false,
  is_managed boolean not null default false,
  is_approved boolean not null default true,
  created_at timestamptz not null default now(),
  primary key (publisher_id, group_id, code_folded)
);
select distribute_by_publisher('group_code');
alter table group_code
  add foreign key (publisher_id, group_id, membership_id) references membership (publisher_id, group_id, membership_id);
create index group_code_membership on group_code (publisher_id, membership_id);
create unique index group_code_one_primary on group_code (publisher_id, membership_id) where is_primary;
