-- oldest program: 0.2.0
-- The audit log: one entry for each change, in the same commit (docs/adr/0027-audit.md). Entries are stored forever. The
-- service's role can only insert and read them.

create table audit_entry (
  publisher_id text collate "C" not null,
  -- A UUIDv7, so that its order is that of time.
  audit_id uuid not null,
  at timestamptz not null default now(),
  actor_kind text collate "C" not null
    check (actor_kind in ('key', 'staff', 'creator', 'command', 'program-file', 'service')),
  actor_id text not null check (length(actor_id) between 1 and 255),
  actor_name text not null check (length(actor_name) between 1 and 255),
  -- Source of the change; which of these columns are set depends on the kind of actor.
  address text check (length(address) <= 255),
  request_id text check (length(request_id) <= 255),
  command text check (length(command) <= 255),
  -- noun.verb, such as payout.create
  action text collate "C" not null check (action ~ '^[a-z-]+\.[a-z-]+$'),
  -- kind:id, such as payout:0190…
  target text collate "C" not null check (length(target) between 1 and 600),
  -- Changed properties of the target; null when it did not exist before, or does not exist after the change.
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
