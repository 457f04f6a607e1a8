-- oldest program: 0.2.0
-- Data that is stored for some days is in partitions by day, which are dropped as a whole (docs/adr/0041-retention.md); the first
-- such table is refused_request. Also adds the time after which a publisher's buyers are forgotten.
-- squawk-ignore-file ban-drop-column, renaming-table, renaming-column, constraint-missing-not-valid
-- Runs after the switch (0014), when the previous version is stopped.

/* Returns the lowest id of a day's rows. A UUIDv7 starts with its time in milliseconds. */
create function first_id_of(day date) returns uuid
language sql immutable strict parallel safe as $$
  select (substr(hex, 1, 8) || '-' || substr(hex, 9, 4) || '-0000-0000-000000000000')::uuid
  from (select lpad(to_hex((extract(epoch from day) * 1000)::bigint), 12, '0') as hex) h
$$;

/* Returns the day (UTC) on which an id was made. */
create function day_of_id(id uuid) returns date
language sql immutable strict parallel safe as $$
  select date '1970-01-01' + (('x' || lpad(replace(left(id::text, 13), '-', ''), 16, '0'))::bit(64)::bigint / 86400000)::integer
$$;

/* Returns the partitions of a table, oldest first; first_id is null for one without a lower bound. */
create function day_partitions(parent text) returns table (name text, first_id uuid, end_id uuid)
language sql stable as $$
  select p.name, substring(p.bounds from 'FROM \(''([0-9a-f-]{36})''\)')::uuid,
         substring(p.bounds from 'TO \(''([0-9a-f-]{36})''\)')::uuid as end_id
  from (
    select c.relname::text as name, pg_get_expr(c.relpartbound, c.oid) as bounds
    from pg_inherits i
    join pg_class c on c.oid = i.inhrelid
    where i.inhparent = to_regclass(quote_ident(parent))
  ) p
  order by end_id
$$;

/*
 * Creates a table's partitions for the given number of days from now, as the owner of the tables, because the service's role
 * can't create tables. Each is created separately and then attached, which does not wait for readers or writers. Days on which
 * no process ran become one partition. Any number of processes may call it at once.
 */
create function make_day_partitions(parent text, days_ahead integer) returns integer
language plpgsql security definer as $$
declare
  today constant date := (now() at time zone 'UTC')::date;
  first_day date;
  end_day date;
  made integer := 0;
begin
  if days_ahead not between 0 and 60 then
    raise exception 'partitions are made for 60 days at most';
  end if;
  perform set_config('lock_timeout', '2s', true);
  perform pg_advisory_xact_lock(7301986145);
  select max(day_of_id(p.end_id)) into first_day from day_partitions(parent) p;
  if first_day is null then
    raise exception '% has no partitions by day', parent;
  end if;
  while first_day <= today + days_ahead loop
    end_day := greatest(first_day + 1, least(today, first_day + 3650));
    execute format('create table %I (like %I including all)', parent || to_char(first_day, '"_"YYYYMMDD'), parent);
    execute format('alter table %I attach partition %I for values from (%L) to (%L)',
      parent, parent || to_char(first_day, '"_"YYYYMMDD'), first_id_of(first_day), first_id_of(end_day));
    made := made + 1;
    first_day := end_day;
  end loop;
  return made;
end $$;

/*
 * Drops a table's partitions that end before the given day, but never those of today or later. It waits only 50 ms for sessions
 * that use the table, because others wait behind it; then it fails (55P03) and can be retried.
 */
create function drop_day_partitions(parent text, before date) returns integer
language plpgsql security definer as $$
declare
  last_day constant date := least(before, (now() at time zone 'UTC')::date);
  partition text;
  dropped integer := 0;
begin
  perform pg_advisory_xact_lock(7301986145);
  perform set_config('lock_timeout', '50ms', true);
  for partition in
    select p.name from day_partitions(parent) p where p.end_id <= first_id_of(last_day)
  loop
    execute format('drop table %I', partition);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;

/* The functions use this schema's tables, whatever the caller's search path, and never temporary ones. */
do $$
declare
  signature text;
begin
  foreach signature in array array[
    'day_partitions(text)', 'make_day_partitions(text, integer)', 'drop_day_partitions(text, date)'
  ] loop
    execute format('alter function %s set search_path = %I, pg_temp', signature, current_schema());
    -- `attribution migrate` grants execution to the service's role (service-rights.ts).
    execute format('revoke execute on function %s from public', signature);
  end loop;
end $$;

/*
 * Makes the existing table the first partition, without a lower bound, of a new table with its name. Attaching scans it once to
 * check that no id is beyond the partition's end.
 */
create function attach_as_first(parent text, key text) returns void
language plpgsql as $$
declare
  last_id uuid;
  today constant date := (now() at time zone 'UTC')::date;
begin
  execute format('select max(%I::text)::uuid from %I', key, parent || '_before') into last_id;
  execute format('alter table %I attach partition %I for values from (minvalue) to (%L)', parent, parent || '_before',
    -- The partition of an empty table ends before today. Otherwise it includes tomorrow, since the clocks of machines may differ.
    first_id_of(case when last_id is null then today - 1 else greatest(today + 2, day_of_id(last_id) + 1) end));
end $$;

alter table refused_request drop constraint refused_request_publisher_id_fkey;
alter table refused_request rename to refused_request_before;
alter index refused_request_pkey rename to refused_request_before_pkey;
create table refused_request (
  like refused_request_before including defaults including constraints,
  primary key (publisher_id, refused_id)
) partition by range (refused_id);
select distribute_by_publisher('refused_request');
select attach_as_first('refused_request', 'refused_id');
select make_day_partitions('refused_request', 14);

-- Number of days after recording when a purchase's buyer id and name are blanked; null means never.
alter table publisher add column forget_buyers_after_days integer;
alter table publisher add constraint publisher_forget_buyers_after_days
  check (forget_buyers_after_days between 7 and 3650) not valid;
alter table publisher validate constraint publisher_forget_buyers_after_days;

-- Progress of this: the buyers of purchases with lower ids are blanked.
create table buyer_forgetting (
  publisher_id text collate "C" not null primary key,
  forgotten_before uuid not null
);
select distribute_by_publisher('buyer_forgetting');
alter table buyer_forgetting add foreign key (publisher_id) references publisher;
