-- oldest program: 0.2.0
-- Webhook events, the ends of their deliveries, and attempts are in partitions by day. Pending deliveries are in a separate
-- queue, so that no query searches the partitions for them (docs/adr/0041-retention.md).
-- squawk-ignore-file renaming-table, renaming-column, ban-drop-column, adding-not-nullable-field, constraint-missing-not-valid, require-concurrent-index-creation, require-concurrent-index-deletion
-- Runs after the switch (0014), when the previous version is stopped.

alter table webhook_delivery drop constraint webhook_delivery_publisher_id_event_id_fkey;

alter table webhook_event rename to webhook_event_before;
alter index webhook_event_pkey rename to webhook_event_before_pkey;
create table webhook_event (
  like webhook_event_before including defaults including constraints,
  primary key (publisher_id, event_id)
) partition by range (event_id);
select distribute_by_publisher('webhook_event');
select attach_as_first('webhook_event', 'event_id');
select make_day_partitions('webhook_event', 8);

alter table webhook_attempt rename to webhook_attempt_before;
alter index webhook_attempt_pkey rename to webhook_attempt_before_pkey;
create table webhook_attempt (
  like webhook_attempt_before including defaults including constraints,
  primary key (publisher_id, event_id, endpoint_id, attempt_number)
) partition by range (event_id);
select distribute_by_publisher('webhook_attempt');
select attach_as_first('webhook_attempt', 'event_id');
select make_day_partitions('webhook_attempt', 8);

-- Pending deliveries: one event on its way to one endpoint. When a delivery ends, one statement moves its row to
-- webhook_delivery_end. worker_id is the worker that is sending it now; it counts only while that worker is alive
-- (webhook_worker).
alter table webhook_delivery rename to webhook_delivery_end_before;
alter index webhook_delivery_pkey rename to webhook_delivery_end_before_pkey;
alter index webhook_delivery_of_endpoint rename to webhook_delivery_end_before_of_endpoint;
alter index webhook_delivery_undelivered rename to webhook_delivery_end_before_undelivered;
drop index webhook_delivery_due;
drop index webhook_delivery_taken;
create table webhook_delivery (
  publisher_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  event_id uuid not null,
  -- All attempts, and those since the last replay, which determine the next retry.
  attempt_count integer not null default 0 check (attempt_count >= try_count),
  try_count integer not null default 0 check (try_count >= 0),
  next_attempt_at timestamptz not null,
  worker_id uuid,
  created_at timestamptz not null,
  primary key (publisher_id, event_id, endpoint_id)
);
select distribute_by_publisher('webhook_delivery');
insert into webhook_delivery (publisher_id, endpoint_id, event_id, attempt_count, try_count, next_attempt_at, worker_id, created_at)
select publisher_id, endpoint_id, event_id, attempt_count, try_count, next_attempt_at, worker_id, created_at
from webhook_delivery_end_before
where status = 'Pending';
delete from webhook_delivery_end_before where status = 'Pending';
-- Due deliveries by endpoint. A query skips through the index from one endpoint to the next.
create index webhook_delivery_due on webhook_delivery (publisher_id, endpoint_id, next_attempt_at, event_id)
  where worker_id is null;
create index webhook_delivery_taken on webhook_delivery (worker_id) where worker_id is not null;
create index webhook_delivery_of_endpoint on webhook_delivery (publisher_id, endpoint_id, event_id);

-- Ended deliveries. A replay moves them back into the queue.
alter table webhook_delivery_end_before drop column next_attempt_at;
alter table webhook_delivery_end_before drop column worker_id;
alter table webhook_delivery_end_before alter column finished_at set not null;
create table webhook_delivery_end (
  like webhook_delivery_end_before including defaults including constraints,
  primary key (publisher_id, event_id, endpoint_id)
) partition by range (event_id);
select distribute_by_publisher('webhook_delivery_end');
-- For the deliveries of an endpoint, newest first, and for undelivered ones, which are normally few.
create index webhook_delivery_end_of_endpoint on webhook_delivery_end (publisher_id, endpoint_id, event_id);
create index webhook_delivery_end_undelivered on webhook_delivery_end (publisher_id, event_id, endpoint_id)
  where status <> 'Delivered';
select attach_as_first('webhook_delivery_end', 'event_id');
select make_day_partitions('webhook_delivery_end', 8);

drop function attach_as_first(text, text);

/* Returns the oldest event with a pending delivery. */
create function oldest_event_on_its_way() returns uuid
language sql stable as $$
  select min(f.event_id::text)::uuid
  from publisher p
  cross join lateral (
    select d.event_id from webhook_delivery d where d.publisher_id = p.publisher_id order by d.event_id limit 1
  ) f
$$;

/*
 * Drops the partitions of webhook events before the given day, with their deliveries and attempts. A day with a pending delivery
 * stays, and so do all later days. A replay reads the event before it queues it, so the lock waits for it.
 */
create function drop_webhook_days(before date) returns integer
language plpgsql security definer as $$
declare
  last_day date := before;
begin
  last_day := least(last_day, day_of_id(oldest_event_on_its_way()));
  if not exists (select 1 from day_partitions('webhook_event') p where p.end_id <= first_id_of(last_day)) then
    return 0; -- without taking the lock
  end if;
  perform set_config('lock_timeout', '50ms', true);
  lock table webhook_event in access exclusive mode;
  last_day := least(last_day, day_of_id(oldest_event_on_its_way()));
  return drop_day_partitions('webhook_attempt', last_day)
       + drop_day_partitions('webhook_delivery_end', last_day)
       + drop_day_partitions('webhook_event', last_day);
end $$;

do $$
declare
  signature text;
begin
  foreach signature in array array['oldest_event_on_its_way()', 'drop_webhook_days(date)'] loop
    execute format('alter function %s set search_path = %I, pg_temp', signature, current_schema());
    execute format('revoke execute on function %s from public', signature);
  end loop;
end $$;
