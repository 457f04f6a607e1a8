import type pg from 'pg';

/**
 * Citus is not available to tests. This stand-in has the extension's name, its catalog, and the functions that the
 * service calls, and rejects some things that Citus rejects: tables that cannot be distributed, and grants in a transaction
 * that uses several connections to a node. It does not distribute data, and it plans statements as PostgreSQL does, so it does
 * not show which statements Citus accepts. scripts/check-routing.ts checks the forms that Citus is known to reject.
 */
const standIn = `
  insert into pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
  values (99999, 'citus', 10, 'public'::regnamespace, false, '13.0');
  create table pg_catalog.pg_dist_partition (logicalrelid regclass, partmethod "char", repmodel "char");
  grant all on pg_dist_partition to public;
  create function create_reference_table(name text) returns void language plpgsql as $$
  begin
    if exists (select 1 from pg_constraint where contype = 'f' and name::regclass in (conrelid, confrelid)
               and (conrelid not in (select logicalrelid from pg_dist_partition) or confrelid not in (select logicalrelid from pg_dist_partition))) then
      raise exception '% is tied to a table that is not spread', name;
    end if;
    insert into pg_dist_partition values (name, 'n', 't');
  end $$;
  create function create_distributed_table(name text, by_column text) returns void language plpgsql as $$
  declare
    key smallint := (select attnum from pg_attribute where attrelid = name::regclass and attname = by_column);
  begin
    if exists (select 1 from pg_index where indrelid = name::regclass and (indisunique or indisexclusion) and key <> all (indkey)) then
      raise exception '% has a unique index without %', name, by_column;
    end if;
    if exists (select 1 from pg_constraint where contype = 'f' and name::regclass in (conrelid, confrelid)) then
      raise exception '% has a key, to or from what may not be spread', name;
    end if;
    if exists (select 1 from pg_trigger where tgrelid = name::regclass and not tgisinternal) then
      raise exception '% has a trigger', name;
    end if;
    insert into pg_dist_partition values (name, 'h', 's');
  end $$;
  create table pg_catalog.pg_dist_node (nodename text, shouldhaveshards boolean);
  insert into pg_dist_node values ('a', true), ('b', true);
  grant select on pg_dist_node to public;
  create function run_command_on_all_nodes(command text) returns table (result text) language plpgsql as $$
  begin
    return query execute format('select (%s)::text', command);
  end $$;
  create function citus_total_relation_size(name regclass) returns bigint language sql as 'select 3000000::bigint';
  create function citus_relation_size(name regclass) returns bigint language sql as 'select 2000000::bigint';
  create function refuse_parallel_grants() returns event_trigger language plpgsql as $$
  begin
    if exists (select 1 from pg_dist_partition)
       and coalesce(current_setting('citus.multi_shard_modify_mode', true), '') <> 'sequential' then
      raise exception 'cannot execute DDL on a table because there was a parallel DDL access to it in the same transaction';
    end if;
  end $$;
  create event trigger refuse_parallel_grants on ddl_command_start when tag in ('GRANT', 'REVOKE')
    execute function refuse_parallel_grants()`;

/**
 * Makes an empty database look like a Citus coordinator with two nodes.
 * @param admin superuser connection to the database
 */
export async function becomeCitus(admin: pg.Client): Promise<void> {
  await admin.query('set allow_system_table_mods = on');
  await admin.query(standIn);
}
