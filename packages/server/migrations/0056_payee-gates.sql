-- oldest program: 0.2.0
-- Gates, which decide whether a creator may be paid, and what payouts need (docs/adr/0082-gates.md).

-- A gate about a creator. A gate of kind tax is a clearance: while payouts need one, only creators with a clearance that is
-- valid at the cutoff are paid. A gate of kind review keeps the creator out of payouts.
-- from_at, until_at: period of the gate, on the publisher's clock. The other times are on the service's clock.
create table payee_gate (
  publisher_id text collate "C" not null,
  gate_id uuid not null,
  account_id text collate "C" not null,
  kind text collate "C" not null check (kind in ('tax', 'review')),
  from_at timestamptz not null,
  until_at timestamptz check (until_at > from_at),
  note text not null check (length(note) between 1 and 500),
  set_at timestamptz not null,
  set_by_kind text collate "C" not null check (length(set_by_kind) between 1 and 20),
  set_by_id text collate "C" not null check (length(set_by_id) between 1 and 255),
  set_by_name text not null check (length(set_by_name) between 1 and 255),
  primary key (publisher_id, gate_id)
);
select distribute_by_publisher('payee_gate');
alter table payee_gate add foreign key (publisher_id) references publisher;
create index payee_gate_account on payee_gate (publisher_id, account_id);
revoke update, delete, truncate on payee_gate from current_user;

-- The end of a gate that a person ended before its time. A gate is ended at most once. There is no foreign key to the gate,
-- because checking it would require the right to update gates.
create table payee_gate_end (
  publisher_id text collate "C" not null,
  gate_id uuid not null,
  reason text not null check (length(reason) between 1 and 500),
  ended_at timestamptz not null,
  ended_by_kind text collate "C" not null check (length(ended_by_kind) between 1 and 20),
  ended_by_id text collate "C" not null check (length(ended_by_id) between 1 and 255),
  ended_by_name text not null check (length(ended_by_name) between 1 and 255),
  primary key (publisher_id, gate_id)
);
select distribute_by_publisher('payee_gate_end');
alter table payee_gate_end add foreign key (publisher_id) references publisher;
create index payee_gate_end_time on payee_gate_end (publisher_id, ended_at);
revoke update, delete, truncate on payee_gate_end from current_user;

-- What a creator must have before a payout pays anything.
alter table publisher add column payouts_need_method boolean not null default false;
alter table publisher add column payouts_need_tax_cleared boolean not null default false;
