-- oldest program: 0.2.0
-- Who changed what: one entry in the commit of each change that somebody made (docs/adr/0027-audit.md). Kept for ever;
-- the service's role can add to it and read it, and nothing else.

create table audit_entry (
  publisher_id text collate "C" not null,
  -- A UUIDv7: entries are listed in its order, which is that of time.
  audit_id uuid not null,
  at timestamptz not null default now(),
  actor_kind text collate "C" not null
    check (actor_kind in ('key', 'staff', 'creator', 'command', 'program-file', 'service')),
  actor_id text not null check (length(actor_id) between 1 and 255),
  actor_name text not null check (length(actor_name) between 1 and 255),
  -- Where from: what the kind of actor has of these.
  address text check (length(address) <= 255),
  request_id text check (length(request_id) <= 255),
  command text check (length(command) <= 255),
  -- noun.verb, such as payout.create
  action text collate "C" not null check (action ~ '^[a-z-]+\.[a-z-]+$'),
  -- kind:id, such as payout:0190…
  target text collate "C" not null check (length(target) between 1 and 600),
  -- What of the target changed; null where there was nothing before, or is nothing after.
  before jsonb check (length(before::text) <= 100000),
  after jsonb check (length(after::text) <= 100000),
  reason text check (length(reason) <= 2000),
  primary key (publisher_id, audit_id)
);
select distribute_by_publisher('audit_entry');
alter table audit_entry add foreign key (publisher_id) references publisher;
create index audit_entry_by_actor on audit_entry (publisher_id, actor_kind, actor_id, audit_id);
create index audit_entry_by_action on audit_entry (publisher_id, action, audit_id);
create index audit_entry_by_target on audit_entry (publisher_id, target, audit_id);
revoke update, delete, truncate on audit_entry from current_user;
