-- oldest program: 0.2.0
-- People of the publishers' staff, how they sign in, and the tokens of programs that speak for a publisher
-- (docs/adr/0035-accounts.md).

alter table audit_entry drop constraint audit_entry_actor_kind_check;
alter table audit_entry
  add constraint audit_entry_actor_kind_check
    check (actor_kind in ('key', 'staff', 'token', 'creator', 'command', 'program-file', 'service')) not valid;
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
