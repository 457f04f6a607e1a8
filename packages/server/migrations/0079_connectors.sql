-- oldest program: 0.2.0
-- Connectors, which receive the webhooks of payment providers (docs/adr/0107-connectors.md).

-- A shop of a publisher. Its id is a part of the address that the provider sends to.
-- secret, previous_secret: sealed signing secrets of the provider; null until the secret was entered, and except while it changes.
-- settings: JSON, as connectors/settings.ts describes it.
-- paused_at: while set, events are stored, but not worked on.
-- refused_at, refused_for: latest request without a valid signature; written at most every few seconds.
-- answered_at: latest handshake of the provider.
create table connector (
  connector_id text collate "C" primary key check (length(connector_id) = 24),
  publisher_id text collate "C" not null,
  name text not null check (length(name) between 1 and 100),
  provider text collate "C" not null check (length(provider) between 1 and 40),
  group_id text collate "C",
  settings text not null check (length(settings) <= 20000),
  secret text collate "C",
  previous_secret text collate "C",
  rotation_started_at timestamptz,
  created_at timestamptz not null,
  paused_at timestamptz,
  removed_at timestamptz,
  refused_at timestamptz,
  refused_for text collate "C",
  answered_at timestamptz
);
comment on table connector is 'reference: found by its address before the publisher is known';
select replicate_to_all_nodes('connector');
create unique index connector_name on connector (publisher_id, name) where removed_at is null;

-- A thing that a provider reported. The row is kept forever, because its key is what makes a repetition harmless.
-- event_key: the provider's id of the event, or what identifies it.
-- kind: what it was read as; Unreadable if it could not be read.
-- order_id: the provider's id of the order, on which the events of an order are kept in sequence.
-- subject_id: the provider's id of the refund or dispute.
-- reading: JSON with the values that were read. player_id is repeated there.
-- body, headers: what arrived, sealed; deleted once it is not needed, at the latest after 30 days.
-- missing_code: code that credited no creator.
-- result: JSON with what became of it.
-- repeats: number of times that it arrived again.
create table connector_event (
  publisher_id text collate "C" not null,
  connector_event_id uuid not null,
  connector_id text collate "C" not null,
  event_key text collate "C" not null check (length(event_key) between 1 and 400),
  type text collate "C" not null check (length(type) <= 200),
  kind text collate "C" not null,
  is_test boolean not null,
  order_id text collate "C",
  subject_id text collate "C",
  transaction_id text collate "C",
  player_id text collate "C",
  missing_code text collate "C",
  reading text,
  headers text,
  body text,
  status text collate "C" not null check (status in ('Waiting', 'Done', 'Ignored', 'Failed')),
  reason text collate "C" not null,
  result text,
  attempt_count integer not null default 0 check (attempt_count >= 0),
  repeats integer not null default 0 check (repeats >= 0),
  received_at timestamptz not null,
  next_attempt_at timestamptz not null,
  finished_at timestamptz,
  primary key (publisher_id, connector_event_id)
);
select distribute_by_publisher('connector_event');
alter table connector_event add foreign key (publisher_id) references publisher;
alter table connector_event add foreign key (connector_id) references connector;
create unique index connector_event_key on connector_event (publisher_id, connector_id, event_key);
create index connector_event_due on connector_event (publisher_id, next_attempt_at) where status = 'Waiting';
create index connector_event_order on connector_event (publisher_id, connector_id, order_id, connector_event_id)
  where order_id is not null;
create index connector_event_list on connector_event (publisher_id, connector_id, status, connector_event_id);
create index connector_event_missing on connector_event (publisher_id, missing_code) where missing_code is not null;
create index connector_event_player on connector_event (publisher_id, player_id) where player_id is not null;
create index connector_event_body on connector_event (publisher_id, received_at) where body is not null;
