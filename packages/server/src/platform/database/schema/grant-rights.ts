import pg from 'pg';
import { OperatorError } from '../../operator-error.ts';
import { readFunctionRights, readRights, updatedColumns, wrongRights } from './service-rights.ts';
import { nodesInTurn, readSpread } from './spread-tables.ts';

const attempts = 5;
const lockNumber = 7_301_986_144; // any number, the same in every process, beside that of migrations

/**
 * Gives the service's role what it needs and takes from it, and from the role that owns the tables, what nobody may do
 * to them (service-rights.ts). Changes nothing where all is as it should be, and mends what a restore left, in which
 * rights are lost or given to other roles.
 * @param client connected as the role that owns the tables, in no transaction
 * @param serviceRole may be the owner itself
 * @throws OperatorError when the tables belong to somebody else
 */
export async function grantRights(client: pg.ClientBase, serviceRole: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await grantAlone(client, serviceRole);
    } catch (error) {
      // Autovacuum may change the same entry of the catalog at this moment.
      const isRace = error instanceof Error && error.message.includes('tuple concurrently updated');
      if (!isRace || attempt === attempts) throw error;
    }
  }
}

/** One at a time: whoever prepares the database at the same moment finds nothing left to do. */
async function grantAlone(client: pg.ClientBase, serviceRole: string): Promise<void> {
  await client.query('begin isolation level read committed');
  try {
    await client.query('set local lock_timeout = 0; set local statement_timeout = 0');
    await client.query('select pg_advisory_xact_lock($1)', [lockNumber]);
    const { hasCitus } = await readSpread(client);
    if (hasCitus) await nodesInTurn(client);
    const owner = await ownRole(client);
    await requireOwnership(client, owner);
    const statements = await mendingStatements(client, owner, owner);
    if (serviceRole !== owner) {
      statements.push(...(await mendingStatements(client, serviceRole, owner)));
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

/** @throws OperatorError where the tables belong to a role that this one is not a member of */
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
    `Set DATABASE_OWNER_URL to a URL of role ${found.owner}, which owns the tables: this migration runs as role ${role}. Where ${role} is to own them instead, as after a restore by another role, as a superuser, in database ${found.name}: reassign owned by ${from} to ${to};`,
  );
}

/** The grants and revokes that a role's rights lack. */
async function mendingStatements(client: pg.ClientBase, role: string, owner: string): Promise<string[]> {
  if (await isSuperuser(client, role)) return []; // nothing keeps one from anything
  const found = await readRights(client, role);
  const name = pg.escapeIdentifier(role);
  return wrongRights(found, role === owner).flatMap(({ table, schema, excess, lacking, columns }) => {
    const target = `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(table)}`;
    return [
      ...(excess.length > 0 ? [`revoke ${excess.join(', ')} on ${target} from ${name}, public`] : []),
      ...(lacking.length > 0 ? [`grant ${lacking.join(', ')} on ${target} to ${name}`] : []),
      // Taking a right to a table takes it from its columns, too.
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

/** The service's role finds the tables, and makes none. */
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

/** The service has partitions made and dropped, and nobody else does. */
async function functionStatements(client: pg.ClientBase, role: string, hasCitus: boolean): Promise<string[]> {
  const found = await readFunctionRights(client, role);
  const name = pg.escapeIdentifier(role);
  return found.flatMap(({ signature, isExecuted, isEverybodys, isOfWrongRole }) => [
    ...(isEverybodys ? [`revoke execute on function ${signature} from public`] : []),
    // What a node is asked by another role is another session there, which waits for the locks of this one.
    ...(isOfWrongRole ? [`alter function ${signature} security ${hasCitus ? 'invoker' : 'definer'}`] : []),
    ...(isExecuted && !isEverybodys ? [] : [`grant execute on function ${signature} to ${name}`]),
  ]);
}
