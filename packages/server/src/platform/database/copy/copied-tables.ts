import type pg from 'pg';

/** A table as COPY takes it; its partitions are copied with it. */
export interface CopiedTable {
  name: string;
  /** Ready to stand in SQL. */
  quoted: string;
  columns: string;
}

/** A part of a table, and where it begins and ends, in SQL's words. */
export interface Partition {
  /** All ready to stand in SQL. */
  parent: string;
  name: string;
  bounds: string;
}

/** Condition for the service's own tables: their owner and schema. */
const ofService = `relnamespace = (select relnamespace from pg_class where oid = to_regclass('schema_migration'))
  and c.relowner = (select relowner from pg_class where oid = to_regclass('schema_migration'))`;

/** Bookkeeping tables that are not copied: each database has its own record of its migrations. */
const ownBooks = [
  'schema_migration',
  'unfinished_move',
  'unfinished_move_table',
  'unfinished_move_statement',
];

/** The service's tables, whatever migrations made them. None in an empty database. */
export async function readCopiedTables(client: pg.ClientBase): Promise<CopiedTable[]> {
  const { rows } = await client.query<CopiedTable>(
    `select c.relname::text as name, quote_ident(c.relname) as quoted,
            (select string_agg(quote_ident(a.attname), ', ' order by a.attnum)
             from pg_attribute a
             where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
     from pg_class c
     where c.relkind in ('r', 'p') and not c.relispartition and c.${ofService} and c.relname <> all ($1)
     order by c.relname collate "C"`,
    [ownBooks],
  );
  return rows;
}

export async function readPartitions(client: pg.ClientBase): Promise<Partition[]> {
  const { rows } = await client.query<Partition>(
    `select quote_ident(c.relname) as parent, quote_ident(d.relname) as name, pg_get_expr(d.relpartbound, d.oid) as bounds
     from pg_inherits i
     join pg_class c on c.oid = i.inhparent
     join pg_class d on d.oid = i.inhrelid
     where c.relkind = 'p' and c.${ofService}
     order by c.relname collate "C", d.relname collate "C"`,
  );
  return rows;
}

/** Something that slows loading down: how to take it away, and how to make it again. */
export interface Aside {
  drop: string;
  make: string;
}

/**
 * Foreign keys, and the indexes that no key stands on, of tables without partitions; in the order in which they are made
 * again. Loaded beside a foreign key, each row would wait in memory to be looked up at the end of the statement.
 */
export async function readAsides(client: pg.ClientBase): Promise<Aside[]> {
  const { rows } = await client.query<Aside>(
    `select 'drop index ' || quote_ident(x.relname) as drop, pg_get_indexdef(x.oid) as make
     from pg_index i
     join pg_class x on x.oid = i.indexrelid
     join pg_class c on c.oid = i.indrelid
     where c.relkind = 'r' and not c.relispartition and c.${ofService}
       and not exists (select 1 from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))
     order by x.relname collate "C"`,
  );
  const { rows: keys } = await client.query<Aside>(
    `select format('alter table %I drop constraint %I', c.relname, k.conname) as drop,
            format('alter table %I add constraint %I %s', c.relname, k.conname, pg_get_constraintdef(k.oid)) as make
     from pg_constraint k
     join pg_class c on c.oid = k.conrelid
     where k.contype = 'f' and k.conparentid = 0 and c.${ofService}
     order by c.relname collate "C", k.conname collate "C"`,
  );
  return [...rows, ...keys];
}
