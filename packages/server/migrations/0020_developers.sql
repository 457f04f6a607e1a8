-- oldest program: 0.2.0
-- What developers see: where deliveries went, which keys are used, and which requests were refused.
-- squawk-ignore-file require-concurrent-index-creation, constraint-missing-not-valid
-- Of no use to the program before, and it is stopped by the time this runs: the switch (0014) stands before it.

-- The deliveries of an endpoint, the newest first; and those that have not arrived, which are few where all is well.
create index webhook_delivery_of_endpoint on webhook_delivery (publisher_id, endpoint_id, event_id);
create index webhook_delivery_undelivered on webhook_delivery (publisher_id, event_id, endpoint_id)
  where status <> 'Delivered';

alter table api_key
  -- The key's last four characters, to tell it from others; null for one made before they were kept.
  add column key_hint text collate "C",
  -- Written once a minute at most, by set: a minute old is good enough for "is it still in use?".
  add column last_used_at timestamptz,
  -- What whoever made it was called then; the audit log says more.
  add column created_by text;
alter table api_key
  add constraint api_key_hint check (length(key_hint) = 4) not valid,
  add constraint api_key_created_by check (length(created_by) between 1 and 255) not valid;
alter table api_key validate constraint api_key_hint;
alter table api_key validate constraint api_key_created_by;
create index api_key_of_publisher on api_key (publisher_id, created_at, key_id);

-- Requests that were answered with an error, a sample of them for seven days: never a body, never a key.
create table refused_request (
  publisher_id text collate "C" not null,
  -- A UUIDv7: listed in its order, which is that of time.
  refused_id uuid not null,
  at timestamptz not null,
  key_id text collate "C" not null,
  method text collate "C" not null check (length(method) between 1 and 16),
  -- As the document names it, with {names} for what differs.
  route text collate "C" not null check (length(route) between 1 and 200),
  status smallint not null check (status between 400 and 599),
  code text collate "C" not null check (length(code) between 1 and 64),
  message text not null check (length(message) <= 500),
  request_id text not null check (length(request_id) between 1 and 64),
  address text not null check (length(address) <= 64),
  primary key (publisher_id, refused_id)
);
select distribute_by_publisher('refused_request');
alter table refused_request add foreign key (publisher_id) references publisher;
