-- Telling publishers what happened: events written in the commit of what caused them, delivered by workers.

-- Where a publisher wants to be told. While next_secret is set a rotation is under way: both secrets sign.
-- A listener is the end of `attribution webhooks listen`: it is off, and reads the events itself.
create table webhook_endpoint (
  publisher_id text collate "C" not null,
  endpoint_id text collate "C" not null check (length(endpoint_id) between 1 and 64),
  url text not null check (length(url) between 1 and 2000),
  event_kinds text[] not null check (cardinality(event_kinds) between 1 and 100),
  secret text not null check (length(secret) >= 24),
  next_secret text check (length(next_secret) >= 24),
  rotation_started_at timestamptz,
  is_enabled boolean not null default true,
  -- When a listener was last there; null for an endpoint of a publisher's.
  listener_seen_at timestamptz,
  disabled_reason text,
  -- The first failed attempt since the last delivery; null while all is well.
  failing_since timestamptz,
  created_at timestamptz not null default now(),
  primary key (publisher_id, endpoint_id),
  check ((next_secret is null) = (rotation_started_at is null)),
  check (listener_seen_at is null or not is_enabled)
);
select distribute_by_publisher('webhook_endpoint');
alter table webhook_endpoint add foreign key (publisher_id) references publisher;

-- The outbox. `event` is the payload as it is sent, to the byte: what is signed never changes.
create table webhook_event (
  publisher_id text collate "C" not null,
  event_id uuid not null,
  kind text collate "C" not null check (kind ~ '^[A-Za-z]+/[A-Za-z]+$'),
  created_at timestamptz not null check (created_at = date_trunc('milliseconds', created_at)),
  event text not null,
  primary key (publisher_id, event_id)
);
select distribute_by_publisher('webhook_event');

-- One event on its way to one endpoint. worker_id: who is sending it now; it counts only while that worker
-- lives (webhook_worker). No foreign key to the endpoint: it would be one more check in every recording commit
-- that publishes; a delivery whose endpoint is gone fails.
create table webhook_delivery (
  publisher_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  event_id uuid not null,
  status text collate "C" not null check (status in ('Pending', 'Delivered', 'Failed')),
  -- All attempts, and those since the last replay, which the retry schedule counts.
  attempt_count integer not null default 0 check (attempt_count >= try_count),
  try_count integer not null default 0 check (try_count >= 0),
  next_attempt_at timestamptz not null,
  worker_id uuid,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (publisher_id, event_id, endpoint_id),
  check ((status = 'Pending') = (finished_at is null)),
  check (worker_id is null or status = 'Pending')
);
select distribute_by_publisher('webhook_delivery');
alter table webhook_delivery add foreign key (publisher_id, event_id) references webhook_event;
-- What is due, endpoint by endpoint; from one to the next by skipping through it.
create index webhook_delivery_due on webhook_delivery (publisher_id, endpoint_id, next_attempt_at, event_id)
  where status = 'Pending' and worker_id is null;
create index webhook_delivery_taken on webhook_delivery (worker_id) where worker_id is not null;

-- No foreign key to the delivery: it took a third of the time of saving attempts.
create table webhook_attempt (
  publisher_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  event_id uuid not null,
  attempt_number integer not null check (attempt_number >= 1),
  started_at timestamptz not null,
  duration_ms integer not null check (duration_ms >= 0),
  -- Null when there was no answer; then error says why.
  status_code smallint,
  error text,
  -- How the answer's body begins, 4 KB at most.
  answer bytea check (length(answer) <= 4096),
  primary key (publisher_id, event_id, endpoint_id, attempt_number),
  check (status_code is not null or error is not null)
);
select distribute_by_publisher('webhook_attempt');

create table webhook_worker (
  worker_id uuid primary key,
  alive_until timestamptz not null
);
comment on table webhook_worker is 'reference: the processes that deliver, for all publishers';
select replicate_to_all_nodes('webhook_worker');

-- When and why a member left; schedules whose start or end was told.
alter table membership
  add column removed_at timestamptz,
  add column removal_reason text check (length(removal_reason) between 1 and 255);
alter table scheduled_share
  add column is_start_told boolean not null default false,
  add column is_end_told boolean not null default false;
-- What was over before there were events is not news.
update scheduled_share set is_start_told = starts_at <= now(), is_end_told = ends_at <= now();
create index scheduled_share_to_tell on scheduled_share ((case when is_start_told then ends_at else starts_at end))
  where not is_end_told and deleted_at is null;
