import type pg from 'pg';

const rights = ['select', 'insert', 'update', 'delete'] as const;
type Right = (typeof rights)[number];

/**
 * What the service's role may not do: the one list, which `attribution migrate` enforces and `doctor` and `serve` look
 * at. Everything else of select, insert, update and delete it may, on every table; truncate, and all that changes a
 * table, on none. The role that owns the tables keeps itself from the same, its own bookkeeping apart, so that nothing
 * but a deliberate grant changes a record of money.
 */
export const keptFromService: Readonly<Record<string, readonly Right[]>> = {
  attribution: ['delete'],
  membership: ['delete'],
  bounty_objective: ['delete'],
  refund_record: ['update', 'delete'],
  ledger_entry: ['update', 'delete'],
  posting: ['update', 'delete'],
  clock_move: ['update', 'delete'],
  audit_entry: ['update', 'delete'],
  schema_migration: ['insert', 'update', 'delete'],
};

/** Those of which a change is a change of what was earned and paid, or of who did what. */
export const appendOnly: readonly string[] = ['refund_record', 'ledger_entry', 'posting', 'audit_entry'];

const bookkeeping = 'schema_migration';

/**
 * What the service may have done by its owner, and everybody else may not: it makes no tables, and these make and drop
 * partitions by day.
 */
const functionsOfService: readonly string[] = [
  'day_partitions(text)',
  'make_day_partitions(text, integer)',
  'drop_day_partitions(text, date)',
  'drop_webhook_days(date)',
];

/** A function, and who may execute it. */
export interface FunctionRights {
  /** With its schema, as SQL names it. */
  signature: string;
  owner: string;
  isExecuted: boolean;
  isEverybodys: boolean;
}

/** Who may execute the functions of the service: a role, and everybody. */
export async function readFunctionRights(client: pg.ClientBase, role: string): Promise<FunctionRights[]> {
  const { rows } = await client.query<FunctionRights>(
    `select p.oid::regprocedure::text as signature, pg_get_userbyid(p.proowner)::text as owner,
            has_function_privilege($1, p.oid, 'execute') as "isExecuted",
            exists (
              select 1 from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
              where a.grantee = 0 and a.privilege_type = 'EXECUTE'
            ) as "isEverybodys"
     from unnest($2::text[]) as f (signature)
     join pg_proc p on p.oid = to_regprocedure(f.signature)
     where p.proowner = ${tablesOwner}`,
    [role, functionsOfService],
  );
  return rows;
}

/** One table and what a role may do with it. */
export interface TableRights {
  table: string;
  schema: string;
  owner: string;
  /** Of select, insert, update, delete and truncate. */
  held: string[];
}

/**
 * What a role may do with the service's tables, by whatever way it got there: a grant to it, to everybody, to a role it
 * is a member of, or of single columns. Partitions are reached through their tables.
 */
export async function readRights(client: pg.ClientBase, role: string): Promise<TableRights[]> {
  const { rows } = await client.query<TableRights>(
    `select c.relname as table, n.nspname as schema, pg_get_userbyid(c.relowner)::text as owner,
            array(
              select r.name from unnest(array['select', 'insert', 'update', 'delete', 'truncate']) as r (name)
              where case when r.name in ('delete', 'truncate') then has_table_privilege($1, c.oid, r.name)
                         else has_any_column_privilege($1, c.oid, r.name) end
            ) as held
     from pg_class c
     join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = ${tablesSchema} and c.relowner = ${tablesOwner}
     order by c.relname`,
    [role],
  );
  return rows;
}

const tablesSchema = `(select relnamespace from pg_class where oid = to_regclass('${bookkeeping}'))`;
const tablesOwner = `(select relowner from pg_class where oid = to_regclass('${bookkeeping}'))`;

/** What a role holds and may not, or lacks and needs. */
export interface WrongRights {
  table: string;
  schema: string;
  excess: string[];
  lacking: string[];
}

/** @param isOwner whether the role owns the tables, and so may do its own bookkeeping */
export function wrongRights(found: readonly TableRights[], isOwner: boolean): WrongRights[] {
  return found.flatMap(({ table, schema, held }) => {
    const kept: readonly string[] = keptFromService[table] ?? [];
    const isOwners = isOwner && (table === bookkeeping || kept.length === 0);
    const forbidden = isOwners ? [] : [...kept, 'truncate'];
    const excess = held.filter((right) => forbidden.includes(right));
    const lacking = rights.filter((right) => !forbidden.includes(right) && !held.includes(right));
    return excess.length + lacking.length === 0 ? [] : { table, schema, excess, lacking };
  });
}
