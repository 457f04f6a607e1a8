import type pg from 'pg';

export interface CopiedTable {
  name: string;
  /** Name quoted for SQL. */
  quoted: string;
  /** Quoted columns, separated by commas. */
  columns: string;
}

/** Partition of a table. All properties are quoted for SQL. */
export interface Partition {
  parent: string;
  name: string;
  bounds: string;
}

/**
 * Condition that selects the service's tables: those with the same owner and schema as `schema_migration`.
 */
const ofService = `relnamespace = (select relnamespace from pg_class where oid = to_regclass('schema_migration'))
  and c.relowner = (select relowner from pg_class where oid = to_regclass('schema_migration'))`;

/** Bookkeeping tables, which aren't copied, because each database records its own migrations. */
const bookkeepingTables = [
  'schema_migration',
  'unfinished_move',
  'unfinished_move_table',
  'unfinished_move_statement',
];

/**
 * Reads the service's tables, regardless of which migrations created them. Returns an empty list for an empty
 * database.
 */
export async function readCopiedTables(client: pg.ClientBase): Promise<CopiedTable[]> {
  const { rows } = await client.query<CopiedTable>(
    `select c.relname::text as name, quote_ident(c.relname) as quoted,
            (select string_agg(quote_ident(a.attname), ', ' order by a.attnum)
             from pg_attribute a
             where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
     from pg_class c
     where c.relkind in ('r', 'p') and not c.relispartition and c.${ofService} and c.relname <> all ($1)
     order by c.relname collate "C"`,
    [bookkeepingTables],
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

/** Statements to drop and recreate an index or foreign key that would slow down loading. */
export interface Recreatable {
  drop: string;
  create: string;
}

/**
 * Reads the foreign keys and some of the indexes, in the order in which they must be recreated. Leaves out the indexes
 * of partitioned tables and those that a constraint uses. With a foreign key in place, each loaded row would remain in
 * memory until it is checked at the end of the statement.
 */
export async function readRecreatables(client: pg.ClientBase): Promise<Recreatable[]> {
  const { rows } = await client.query<Recreatable>(
    `select 'drop index ' || quote_ident(x.relname) as drop, pg_get_indexdef(x.oid) as create
     from pg_index i
     join pg_class x on x.oid = i.indexrelid
     join pg_class c on c.oid = i.indrelid
     where c.relkind = 'r' and not c.relispartition and c.${ofService}
       and not exists (select 1 from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))
     order by x.relname collate "C"`,
  );
  const { rows: keys } = await client.query<Recreatable>(
    `select format('alter table %I drop constraint %I', c.relname, k.conname) as drop,
            format('alter table %I add constraint %I %s', c.relname, k.conname, pg_get_constraintdef(k.oid)) as create
     from pg_constraint k
     join pg_class c on c.oid = k.conrelid
     where k.contype = 'f' and k.conparentid = 0 and c.${ofService}
     order by c.relname collate "C", k.conname collate "C"`,
  );
  return [...rows, ...keys];
}
