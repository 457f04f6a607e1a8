-- oldest program: 0.2.0
-- Staff of publishers, their sign-in, and operator tokens for programs (docs/adr/0035-accounts.md).

alter table audit_entry drop constraint audit_entry_actor_kind_check;
alter table audit_entry
  add constraint audit_entry_actor_kind_check
    check (actor_kind in ('key', 'staff', 'token', 'creator', 'command', 'program-file', 'service')) not valid;
-- squawk-ignore constraint-missing-not-valid -- one scan of a table that is filled by people's changes, not by purchases
alter table audit_entry validate constraint audit_entry_actor_kind_check;

create table operator_token (
  token_hash bytea primary key check (length(token_hash) = 32),
  token_id text collate "C" not null unique,
  publisher_id text collate "C" not null,
  name text not null check (length(name) between 1 and 255),
  role text collate "C" not null check (role in ('owner', 'manager', 'finance', 'support', 'developer', 'viewer')),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz
);
comment on table operator_token is 'reference: found by hash before the publisher is known';
select replicate_to_all_nodes('operator_token');
create unique index operator_token_name on operator_token (publisher_id, name) where revoked_at is null;

-- People and their sign-in. The sign-in library requires some columns to be named `id`, and writes all of these tables
-- (packages/server/src/accounts/sign-in/open-auth.ts).
create table staff_user (
  id text collate "C" primary key,
  name text not null check (length(name) between 1 and 255),
  email text collate "C" not null unique check (email = lower(email) and length(email) between 3 and 255),
  email_verified boolean not null default false,
  image text,
  two_factor_enabled boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table staff_user is 'reference: a person may be on the staff of several publishers';
select replicate_to_all_nodes('staff_user');

-- A session ends a week after its start, or twelve hours after its last use.
create table staff_session (
  id text collate "C" primary key,
  token text collate "C" not null unique,
  user_id text collate "C" not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  expires_at timestamptz not null,
  last_seen_at timestamptz not null default now(),
  -- Last time that the person proved their identity in this session, by a password, passkey or code.
  confirmed_at timestamptz not null default now(),
  has_second_factor boolean not null default false,
  ip_address text,
  user_agent text
);
comment on table staff_session is 'reference: found by its token before anything else is known';
select replicate_to_all_nodes('staff_session');
alter table staff_session add foreign key (user_id) references staff_user on delete cascade;
create index staff_session_user on staff_session (user_id);

-- A password, or a person's identity at a provider.
create table staff_account (
  id text collate "C" primary key,
  account_id text collate "C" not null,
  provider_id text collate "C" not null,
  user_id text collate "C" not null,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  password text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (provider_id, account_id)
);
comment on table staff_account is 'reference: found before the person is signed in';
select replicate_to_all_nodes('staff_account');
alter table staff_account add foreign key (user_id) references staff_user on delete cascade;
create index staff_account_user on staff_account (user_id);

-- State of a sign-in in progress: a passkey's challenge, a redirect to a provider, or a pending second factor.
create table staff_verification (
  id text collate "C" primary key,
  identifier text collate "C" not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table staff_verification is 'reference: found before the person is signed in';
select replicate_to_all_nodes('staff_verification');
create index staff_verification_identifier on staff_verification (identifier);
create index staff_verification_expired on staff_verification (expires_at);

create table staff_two_factor (
  id text collate "C" primary key,
  user_id text collate "C" not null unique,
  secret text not null,
  backup_codes text not null,
  verified boolean not null default true,
  failed_verification_count integer not null default 0,
  locked_until timestamptz
);
comment on table staff_two_factor is 'reference: read before the person is signed in';
select replicate_to_all_nodes('staff_two_factor');
alter table staff_two_factor add foreign key (user_id) references staff_user on delete cascade;

create table staff_passkey (
  id text collate "C" primary key,
  user_id text collate "C" not null,
  name text,
  public_key text not null,
  credential_id text collate "C" not null unique,
  counter integer not null,
  device_type text not null,
  backed_up boolean not null,
  transports text,
  aaguid text,
  created_at timestamptz not null default now()
);
comment on table staff_passkey is 'reference: found before the person is signed in';
select replicate_to_all_nodes('staff_passkey');
alter table staff_passkey add foreign key (user_id) references staff_user on delete cascade;
create index staff_passkey_user on staff_passkey (user_id);

-- A link for choosing a new password, which works once.
create table staff_password_link (
  link_hash bytea primary key check (length(link_hash) = 32),
  user_id text collate "C" not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
comment on table staff_password_link is 'reference: found by hash before the person is signed in';
select replicate_to_all_nodes('staff_password_link');
alter table staff_password_link add foreign key (user_id) references staff_user on delete cascade;
create index staff_password_link_user on staff_password_link (user_id);

create table staff_invitation (
  invitation_hash bytea primary key check (length(invitation_hash) = 32),
  invitation_id text collate "C" not null unique,
  publisher_id text collate "C" not null,
  email text collate "C" not null check (email = lower(email) and length(email) between 3 and 255),
  role text collate "C" not null check (role in ('owner', 'manager', 'finance', 'support', 'developer', 'viewer')),
  invited_by text not null check (length(invited_by) between 1 and 255),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  revoked_at timestamptz
);
comment on table staff_invitation is 'reference: found by hash before the publisher is known';
select replicate_to_all_nodes('staff_invitation');
create unique index staff_invitation_open on staff_invitation (publisher_id, email)
  where accepted_at is null and revoked_at is null;

create table staff (
  publisher_id text collate "C" not null,
  user_id text collate "C" not null,
  role text collate "C" not null check (role in ('owner', 'manager', 'finance', 'support', 'developer', 'viewer')),
  invited_by text not null check (length(invited_by) between 1 and 255),
  joined_at timestamptz not null default now(),
  primary key (publisher_id, user_id)
);
select distribute_by_publisher('staff');
alter table staff add foreign key (publisher_id) references publisher;
alter table staff add foreign key (user_id) references staff_user;
create index staff_user_publishers on staff (user_id);

-- Rules of a publisher for its staff; a missing row means the defaults.
create table staff_rules (
  publisher_id text collate "C" primary key,
  demands_two_factor boolean not null default false,
  -- A payout must be marked as paid by another person than its creator.
  four_eyes_payouts boolean not null default false
);
select distribute_by_publisher('staff_rules');
alter table staff_rules add foreign key (publisher_id) references publisher;
