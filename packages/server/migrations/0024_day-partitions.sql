-- oldest program: 0.2.0
-- What is kept for some days lies in partitions by day, which are dropped whole (docs/adr/0041-retention.md); refused
-- requests are the first. And how long a publisher wants to know who its buyers were.
-- squawk-ignore-file ban-drop-column, renaming-table, renaming-column, constraint-missing-not-valid
-- Of no use to the program before, and it is stopped by the time this runs: the switch (0014) stands before it.

/* The lowest id that a row of a day may have: a UUIDv7 begins with its time, in milliseconds. */
create function first_id_of(day date) returns uuid
language sql immutable strict parallel safe as $$
  select (substr(hex, 1, 8) || '-' || substr(hex, 9, 4) || '-0000-0000-000000000000')::uuid
  from (select lpad(to_hex((extract(epoch from day) * 1000)::bigint), 12, '0') as hex) h
$$;

/* The day, of UTC, in which an id was made. */
create function day_of_id(id uuid) returns date
language sql immutable strict parallel safe as $$
  select date '1970-01-01' + (('x' || lpad(replace(left(id::text, 13), '-', ''), 16, '0'))::bit(64)::bigint / 86400000)::integer
$$;

/* The partitions of a table, the oldest first; first_id is null for one that has no beginning. */
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
 * Makes a table's partitions up to so many days from now, as the owner of the tables: the service may make none. Each is
 * made beside the table and then attached, which waits for nobody who reads or writes. Days that passed while nobody
 * made any are one partition. Any number of processes may ask at once.
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
 * Drops a table's partitions whose last day is before a day, none of today or later. Whoever uses the table is waited for
 * 50 ms, because everybody else waits meanwhile; then it fails (55P03), and may be tried again.
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

/* They work on this schema's tables, whatever the caller's search path says, and never on temporary ones. */
do $$
declare
  signature text;
begin
  foreach signature in array array[
    'day_partitions(text)', 'make_day_partitions(text, integer)', 'drop_day_partitions(text, date)'
  ] loop
    execute format('alter function %s set search_path = %I, pg_temp', signature, current_schema());
    -- `attribution migrate` lets the service's role execute them (service-rights.ts).
    execute format('revoke execute on function %s from public', signature);
  end loop;
end $$;

/*
 * Makes the table that there is the first partition, which has no beginning, of a new one that has its name. Attaching
 * reads it once, to see that no id is of a later day than the partition ends with.
 */
create function attach_as_first(parent text, key text) returns void
language plpgsql as $$
declare
  last_id uuid;
  today constant date := (now() at time zone 'UTC')::date;
begin
  execute format('select max(%I::text)::uuid from %I', key, parent || '_before') into last_id;
  execute format('alter table %I attach partition %I for values from (minvalue) to (%L)', parent, parent || '_before',
    -- Of an empty one there is nothing to keep. The clocks of machines may differ.
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

-- So many days after a purchase was recorded its buyer's id and name are blanked; null: never.
alter table publisher add column forget_buyers_after_days integer;
alter table publisher add constraint publisher_forget_buyers_after_days
  check (forget_buyers_after_days between 7 and 3650) not valid;
alter table publisher validate constraint publisher_forget_buyers_after_days;

-- How far that is: the buyers of purchases with lower ids are blanked.
create table buyer_forgetting (
  publisher_id text collate "C" not null primary key,
  forgotten_before uuid not null
);
select distribute_by_publisher('buyer_forgetting');
alter table buyer_forgetting add foreign key (publisher_id) references publisher;
