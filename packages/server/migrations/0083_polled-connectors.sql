-- oldest program: 0.2.0
-- Connectors whose provider's reports are read, and orders that were named in advance (docs/adr/0111-steam-and-named-orders.md).

-- next_poll_at: time of the next poll; while one is in progress, the time after which another process takes it over. Null if a poll is due.
-- polled_at: latest successful poll.
-- reported_until: latest change of an order that was read.
-- poll_from: time from which an unfinished poll continues; null if the latest one read everything.
-- poll_failing_since, poll_failures, poll_problem: failed polls since the last successful one.
-- refused_since, refusals: requests without a valid signature since the last one with a valid signature; counted at most every few seconds.
alter table connector
  add column next_poll_at timestamptz,
  add column polled_at timestamptz,
  add column reported_until timestamptz,
  add column poll_from timestamptz,
  add column poll_failing_since timestamptz,
  add column poll_failures integer not null default 0,
  add column poll_problem text collate "C",
  add column refused_since timestamptz,
  add column refusals integer not null default 0;

-- Creator code and player of an order, which the publisher's back end named before the provider reported the order.
-- used_at: time at which a purchase was first credited with it.
-- ends_at: time after which the row is deleted.
create table connector_order (
  publisher_id text collate "C" not null,
  connector_id text collate "C" not null,
  order_id text collate "C" not null check (length(order_id) between 1 and 255),
  code text collate "C" check (length(code) between 1 and 1000),
  player_id text collate "C" check (length(player_id) between 1 and 255),
  named_at timestamptz not null,
  used_at timestamptz,
  ends_at timestamptz not null,
  primary key (publisher_id, connector_id, order_id)
);
select distribute_by_publisher('connector_order');
alter table connector_order add foreign key (publisher_id) references publisher;
alter table connector_order add foreign key (connector_id) references connector;
create index connector_order_end on connector_order (publisher_id, ends_at);
create index connector_order_player on connector_order (publisher_id, player_id) where player_id is not null;

-- Finds the events that wait for a person.
-- squawk-ignore require-concurrent-index-creation -- connectors are not released, so the table is small
create index connector_event_failed on connector_event (publisher_id, received_at) where status = 'Failed';
