-- oldest program: 0.2.0
-- Payout methods that creators enter in the portal (docs/adr/0097-methods-of-creators.md).

-- An emailed code that a signed-in person enters again before a payout method changes. It works once, only in the session that
-- requested it, and only for the change that it was requested for.
-- change_hash: HMAC of the publisher and the change.
-- tries: number of codes that were entered in this session while this one could be used.
create table portal_confirmation (
  session_id text collate "C" not null,
  code_hash bytea not null check (length(code_hash) = 32),
  change_hash bytea not null check (length(change_hash) = 32),
  tries integer not null default 0 check (tries >= 0),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (session_id, code_hash)
);
comment on table portal_confirmation is 'reference: belongs to a session, and a session to no publisher';
select replicate_to_all_nodes('portal_confirmation');
alter table portal_confirmation add foreign key (session_id) references portal_session (session_id) on delete cascade;
create index portal_confirmation_expired on portal_confirmation (expires_at);

-- An email that tells a creator's person about a changed payout method, with a link that takes the change back. Written in the
-- commit of the change, and sent by a worker.
-- method_id: method that was entered or removed.
-- changed_at: on the database's clock, like the times of methods. The other times are on the service's clock.
-- expires_at: end of the link.
create table payee_notice (
  publisher_id text collate "C" not null,
  notice_id uuid not null,
  account_id text collate "C" not null,
  method_id uuid not null,
  change text collate "C" not null check (change in ('entered', 'removed')),
  email text collate "C" not null check (length(email) between 3 and 255),
  changed_at timestamptz not null,
  expires_at timestamptz not null,
  taken_back_at timestamptz,
  status text collate "C" not null default 'Waiting' check (status in ('Waiting', 'Sent', 'Failed')),
  attempt_count integer not null default 0 check (attempt_count >= 0),
  -- While a process sends the email, the time at which another process may take it over.
  next_attempt_at timestamptz not null,
  primary key (publisher_id, notice_id)
);
select distribute_by_publisher('payee_notice');
alter table payee_notice add foreign key (publisher_id) references publisher;
alter table payee_notice add foreign key (publisher_id, method_id) references payee_method;
create index payee_notice_account on payee_notice (publisher_id, account_id, changed_at);
create index payee_notice_due on payee_notice (next_attempt_at) where status = 'Waiting';

-- Creators who took back a change of their payout method, and whose payouts wait for the staff.
-- squawk-ignore require-concurrent-index-creation -- the table is new in this release, so it is empty
create index payee_gate_disputed on payee_gate (publisher_id, account_id) where kind = 'review' and set_by_kind = 'creator';
