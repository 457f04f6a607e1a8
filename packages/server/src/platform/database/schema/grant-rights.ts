import pg from 'pg';
import { OperatorError } from '../../operator-error.ts';
import { readFunctionRights, readRights, updatedColumns, wrongRights } from './service-rights.ts';
import { readSpread, useSequentialMode } from './spread-tables.ts';

const attempts = 5;
const lockNumber = 7_301_986_144; // arbitrary; the same in every process, and different from the number for migrations

/**
 * Grants the service's role the rights it needs, and revokes forbidden rights from it and from the owner
 * (service-rights.ts). Only incorrect rights are changed, such as rights that a restore lost or granted to other roles.
 * @param client connected as the owner of the tables, outside of a transaction
 * @param serviceRole may be the owner itself
 * @throws OperatorError if another role owns the tables
 */
export async function grantRights(client: pg.ClientBase, serviceRole: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await grantUnderLock(client, serviceRole);
    } catch (error) {
      // Autovacuum may be changing the same catalog row.
      const isRace = error instanceof Error && error.message.includes('tuple concurrently updated');
      if (!isRace || attempt === attempts) throw error;
    }
  }
}

/** Changes the rights under a lock. A concurrent process then finds nothing left to do. */
async function grantUnderLock(client: pg.ClientBase, serviceRole: string): Promise<void> {
  await client.query('begin isolation level read committed');
  try {
    await client.query('set local lock_timeout = 0; set local statement_timeout = 0');
    await client.query('select pg_advisory_xact_lock($1)', [lockNumber]);
    const { hasCitus } = await readSpread(client);
    if (hasCitus) await useSequentialMode(client);
    const owner = await ownRole(client);
    await requireOwnership(client, owner);
    const statements = await tableStatements(client, owner, owner);
    if (serviceRole !== owner) {
      statements.push(...(await tableStatements(client, serviceRole, owner)));
      statements.push(...(await schemaStatements(client, serviceRole)));
    }
    statements.push(...(await functionStatements(client, serviceRole, hasCitus)));
    for (const statement of statements) await client.query(statement);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

export async function ownRole(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query<{ role: string }>('select current_user::text as role');
  return rows[0]?.role ?? '';
}

/** @throws OperatorError if the owner is another role that this role is not a member of */
export async function requireOwnership(client: pg.ClientBase, role: string): Promise<void> {
  const { rows } = await client.query<{ owner: string; name: string }>(
    `select pg_get_userbyid(relowner)::text as owner, current_database()::text as name
     from pg_class
     where oid = to_regclass('schema_migration') and not pg_has_role(current_user, relowner, 'usage')`,
  );
  const [found] = rows;
  if (found === undefined) return;
  const [from, to] = [found.owner, role].map((name) => pg.escapeIdentifier(name));
  throw new OperatorError(
    `This migration runs as role ${role}, but role ${found.owner} owns the tables. Set DATABASE_OWNER_URL to a URL of role ${found.owner}. If ${role} should own them instead, for example after a restore by another role, run as a superuser in database ${found.name}: reassign owned by ${from} to ${to};`,
  );
}

async function tableStatements(client: pg.ClientBase, role: string, owner: string): Promise<string[]> {
  if (await isSuperuser(client, role)) return []; // privileges don't apply to superusers
  const found = await readRights(client, role);
  const name = pg.escapeIdentifier(role);
  return wrongRights(found, role === owner).flatMap(({ table, schema, excess, lacking, columns }) => {
    const target = `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(table)}`;
    return [
      ...(excess.length > 0 ? [`revoke ${excess.join(', ')} on ${target} from ${name}, public`] : []),
      ...(lacking.length > 0 ? [`grant ${lacking.join(', ')} on ${target} to ${name}`] : []),
      // Revoking a right on a table also revokes it on the columns.
      ...(columns.excess.length > 0 ? [`revoke update on ${target} from ${name}, public`] : []),
      ...(columns.excess.length + columns.lacking.length > 0
        ? [`grant update (${(updatedColumns[table] ?? []).join(', ')}) on ${target} to ${name}`]
        : []),
    ];
  });
}

export async function isSuperuser(client: pg.ClientBase, role: string): Promise<boolean> {
  const { rows } = await client.query<{ rolsuper: boolean }>(
    'select rolsuper from pg_roles where rolname = $1',
    [role],
  );
  return rows[0]?.rolsuper === true;
}

/** Returns statements that allow the service's role to use the schema but not create tables in it. */
async function schemaStatements(client: pg.ClientBase, role: string): Promise<string[]> {
  const { rows } = await client.query<{
    schema: string;
    uses: boolean;
    creates: boolean;
    mayGrant: boolean;
  }>(
    `select n.nspname as schema,
            has_schema_privilege($1, n.oid, 'usage') as uses,
            has_schema_privilege($1, n.oid, 'create') as creates,
            pg_has_role(current_user, n.nspowner, 'usage') as "mayGrant"
     from pg_class c
     join pg_namespace n on n.oid = c.relnamespace
     where c.oid = to_regclass('schema_migration')`,
    [role],
  );
  const [found] = rows;
  if (found === undefined) return [];
  const schema = pg.escapeIdentifier(found.schema);
  const name = pg.escapeIdentifier(role);
  return [
    ...(found.uses || !found.mayGrant ? [] : [`grant usage on schema ${schema} to ${name}`]),
    ...(found.creates && found.mayGrant ? [`revoke create on schema ${schema} from ${name}, public`] : []),
  ];
}

/** Returns statements that allow only the service's role to call the functions that create and drop partitions. */
async function functionStatements(client: pg.ClientBase, role: string, hasCitus: boolean): Promise<string[]> {
  const found = await readFunctionRights(client, role);
  const name = pg.escapeIdentifier(role);
  return found.flatMap(({ signature, isExecuted, isPublic, isOfWrongRole }) => [
    ...(isPublic ? [`revoke execute on function ${signature} from public`] : []),
    // With Citus, a function that runs as another role uses another session on a node, and that session would
    // wait for this session's locks.
    ...(isOfWrongRole ? [`alter function ${signature} security ${hasCitus ? 'invoker' : 'definer'}`] : []),
    ...(isExecuted && !isPublic ? [] : [`grant execute on function ${signature} to ${name}`]),
  ]);
}
