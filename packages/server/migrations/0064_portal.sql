-- oldest program: 0.2.0
-- The creators' portal: sign-in (docs/adr/0090-sign-in-of-creators.md), and the accounts that a person may see
-- (docs/adr/0091-whose-account-it-is.md).

-- A person who has proven an email address. The row is created by the first sign-in.
create table portal_user (
  user_id text collate "C" primary key,
  email text collate "C" not null unique check (email = lower(email) and length(email) between 3 and 255),
  created_at timestamptz not null
);
comment on table portal_user is 'reference: a creator may be a member at several publishers';
select replicate_to_all_nodes('portal_user');

-- A session ends thirty days after its start, or fourteen days after its last use. Ended sessions are deleted.
create table portal_session (
  token_hash bytea primary key check (length(token_hash) = 32),
  session_id text collate "C" not null unique,
  user_id text collate "C" not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  last_seen_at timestamptz not null,
  address text check (length(address) <= 255),
  user_agent text check (length(user_agent) <= 500)
);
comment on table portal_session is 'reference: found by its token before anything else is known';
select replicate_to_all_nodes('portal_session');
alter table portal_session add foreign key (user_id) references portal_user on delete cascade;
create index portal_session_user on portal_session (user_id);

-- An email with a link, which works in any browser, and a code, which works only in the browser that requested it. Using
-- one uses up both. An address may have several at a time, so that a request by another person does not
-- end the code of the creator.
-- tries: number of codes that were entered in this browser while this one could be used.
create table portal_code (
  link_hash bytea primary key check (length(link_hash) = 32),
  code_hash bytea not null check (length(code_hash) = 32),
  browser_hash bytea not null check (length(browser_hash) = 32),
  email text collate "C" not null check (email = lower(email) and length(email) between 3 and 255),
  tries integer not null default 0 check (tries >= 0),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
comment on table portal_code is 'reference: found before the person is signed in';
select replicate_to_all_nodes('portal_code');
create index portal_code_browser on portal_code (browser_hash);
create index portal_code_expired on portal_code (expires_at);

-- The account of a creator, and the one person who may see it.
create table portal_user_account (
  account_id text collate "C" primary key,
  user_id text collate "C" not null,
  proof text collate "C" not null check (proof in ('invitation', 'auth-code')),
  proven_at timestamptz not null
);
comment on table portal_user_account is 'reference: an account belongs to no publisher alone';
select replicate_to_all_nodes('portal_user_account');
alter table portal_user_account add foreign key (account_id) references creator_account;
alter table portal_user_account add foreign key (user_id) references portal_user;
create index portal_user_account_user on portal_user_account (user_id);

-- An emailed link with which a publisher connects an account that it created to the person who opens the link.
create table portal_invitation (
  invitation_hash bytea primary key check (length(invitation_hash) = 32),
  publisher_id text collate "C" not null,
  account_id text collate "C" not null,
  email text collate "C" not null check (email = lower(email) and length(email) between 3 and 255),
  invited_by text not null check (length(invited_by) between 1 and 255),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  accepted_at timestamptz
);
comment on table portal_invitation is 'reference: found by its hash before the publisher is known';
select replicate_to_all_nodes('portal_invitation');
alter table portal_invitation add foreign key (account_id) references creator_account;
create index portal_invitation_account on portal_invitation (account_id);
create index portal_invitation_expired on portal_invitation (expires_at);
