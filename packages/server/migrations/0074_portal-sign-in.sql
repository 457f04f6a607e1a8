-- oldest program: 0.2.0
-- Sign-in to the portal with providers and passkeys (docs/adr/0102-providers-and-passkeys-of-creators.md).

-- A person's account at a provider, such as Twitch. It signs in as the person who added it.
-- issuer: namespace of the provider's ids. Another provider of the same kind has another issuer.
-- subject: the provider's id for the account, which the provider never gives to another account.
-- name: as the provider showed it at the last sign-in.
create table portal_provider_account (
  issuer text collate "C" not null check (length(issuer) between 1 and 500),
  subject text collate "C" not null check (length(subject) between 1 and 255),
  sign_in_method_id text collate "C" not null unique,
  user_id text collate "C" not null,
  provider text collate "C" not null check (provider in ('twitch', 'discord', 'youtube', 'oidc')),
  name text check (length(name) between 1 and 100),
  added_at timestamptz not null,
  last_used_at timestamptz,
  primary key (issuer, subject)
);
comment on table portal_provider_account is 'reference: found before the person is signed in';
select replicate_to_all_nodes('portal_provider_account');
alter table portal_provider_account add foreign key (user_id) references portal_user on delete cascade;
create index portal_provider_account_user on portal_provider_account (user_id);

-- A passkey that a person added.
-- credential_id: in base64url, as browsers send it.
-- sign_count: number of signatures as the passkey counts them; 0 if it does not count.
create table portal_passkey (
  credential_id text collate "C" primary key check (length(credential_id) between 1 and 1400),
  sign_in_method_id text collate "C" not null unique,
  user_id text collate "C" not null,
  public_key bytea not null check (length(public_key) <= 4000),
  sign_count bigint not null check (sign_count >= 0),
  name text not null check (length(name) between 1 and 100),
  added_at timestamptz not null,
  last_used_at timestamptz
);
comment on table portal_passkey is 'reference: found before the person is signed in';
select replicate_to_all_nodes('portal_passkey');
alter table portal_passkey add foreign key (user_id) references portal_user on delete cascade;
create index portal_passkey_user on portal_passkey (user_id);

-- A visit to a provider, or a question to a passkey, that has not been answered. Deleted by the answer.
-- secret_hash: hash of the state that the provider returns, or of the challenge that the passkey signs.
-- browser_hash: hash of the cookie of the browser that began it. No other browser can answer.
-- session_id: session that adds the sign-in method; null for a sign-in.
create table portal_attempt (
  secret_hash bytea primary key check (length(secret_hash) = 32),
  method text collate "C" not null check (method in ('twitch', 'discord', 'youtube', 'oidc', 'passkey')),
  browser_hash bytea not null check (length(browser_hash) = 32),
  session_id text collate "C",
  created_at timestamptz not null,
  expires_at timestamptz not null
);
comment on table portal_attempt is 'reference: found before the person is signed in';
select replicate_to_all_nodes('portal_attempt');
alter table portal_attempt add foreign key (session_id) references portal_session (session_id) on delete cascade;
create index portal_attempt_session on portal_attempt (session_id);
create index portal_attempt_expired on portal_attempt (expires_at);

-- started_with: sign-in method that started the session; null for an emailed code, link or invitation.
alter table portal_session add column started_with text collate "C";
