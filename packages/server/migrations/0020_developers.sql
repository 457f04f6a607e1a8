-- oldest program: 0.2.0
-- For the Developers screen: deliveries, use of keys, and rejected requests.
-- squawk-ignore-file require-concurrent-index-creation, constraint-missing-not-valid
-- Runs after the switch (0014), when the previous version is stopped.

-- For the deliveries of an endpoint, newest first, and for undelivered ones, which are normally few.
create index webhook_delivery_of_endpoint on webhook_delivery (publisher_id, endpoint_id, event_id);
create index webhook_delivery_undelivered on webhook_delivery (publisher_id, event_id, endpoint_id)
  where status <> 'Delivered';

alter table api_key
  -- Last four characters of the key, to recognize it; null for keys from before they were stored.
  add column key_hint text collate "C",
  -- Updated at most once a minute, for many keys at once, which is precise enough to see whether a key is still in use.
  add column last_used_at timestamptz,
  -- Name of the creator at that time; the audit log has the details.
  add column created_by text;
alter table api_key
  add constraint api_key_hint check (length(key_hint) = 4) not valid,
  add constraint api_key_created_by check (length(created_by) between 1 and 255) not valid;
alter table api_key validate constraint api_key_hint;
alter table api_key validate constraint api_key_created_by;
create index api_key_of_publisher on api_key (publisher_id, created_at, key_id);

-- A sample of the requests that got an error, stored for seven days, without bodies and keys.
create table refused_request (
  publisher_id text collate "C" not null,
  -- A UUIDv7, so that its order is that of time.
  refused_id uuid not null,
  at timestamptz not null,
  key_id text collate "C" not null,
  method text collate "C" not null check (length(method) between 1 and 16),
  -- Path of the route in the API's document, with {names} of parameters.
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
