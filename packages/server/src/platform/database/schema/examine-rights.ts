import pg from 'pg';
import { asTyped } from '../../program-name.ts';
import { isSuperuser, ownRole } from './grant-rights.ts';
import { appendOnly, readFunctionRights, readRights, updatedColumns, wrongRights } from './service-rights.ts';

/** Problem with the rights of the service's role. The message includes the statement that fixes it. */
export interface RightsFlaw {
  /** True if the service must not run, because it could change financial records or would fail. */
  isGrave: boolean;
  message: string;
}

/**
 * Examines the rights of this connection's role, which must be the service's role.
 * @returns the flaws; empty if the owner and the service are separate roles and each has the rights it needs
 */
export async function examineRights(client: pg.ClientBase): Promise<RightsFlaw[]> {
  const role = await ownRole(client);
  if (await isSuperuser(client, role))
    return [
      flaw(
        'The service connects as a superuser, which bypasses all privileges, so financial records could be changed. Use a separate role; see docs/operating.md#two-roles.',
      ),
    ];
  const found = await readRights(client, role);
  const [first] = found;
  if (first === undefined) return []; // no tables yet
  const { owner } = first;
  return [
    ...tableFlaws(role, owner, wrongRights(found, role === owner)),
    ...(await functionFlaws(client, role)),
    ...(await roleFlaws(client, role, owner)),
  ];
}

/**
 * Examines the rights to execute functions. Problems with these rights are not serious, because the existing
 * partitions cover several days.
 */
async function functionFlaws(client: pg.ClientBase, role: string): Promise<RightsFlaw[]> {
  const found = await readFunctionRights(client, role);
  const name = pg.escapeIdentifier(role);
  return found.flatMap(({ signature, owner, isExecuted, isPublic }) => {
    const as = role === owner ? '' : `, as role ${owner}`;
    if (!isExecuted)
      return [
        flaw(
          `Role ${role} may not execute ${signature}. Run \`${asTyped('migrate')}\`, or${as}: grant execute on function ${signature} to ${name};`,
        ),
      ];
    return isPublic
      ? [
          flaw(
            `Every role may execute ${signature}. Run \`${asTyped('migrate')}\`, or${as}: revoke execute on function ${signature} from public; grant execute on function ${signature} to ${name};`,
          ),
        ]
      : [];
  });
}

function tableFlaws(role: string, owner: string, wrong: ReturnType<typeof wrongRights>): RightsFlaw[] {
  const name = pg.escapeIdentifier(role);
  const asOwner = role === owner ? '' : `, as role ${owner}`;
  return wrong.flatMap(({ table, schema, excess, lacking, columns }) => {
    const target = `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(table)}`;
    return [
      ...(excess.length > 0
        ? [
            flaw(
              `Role ${role} must not have ${excess.join(', ')} on ${table}. Run \`${asTyped('migrate')}\`, or${asOwner}: revoke ${excess.join(', ')} on ${target} from ${name}, public;`,
              appendOnly.includes(table),
            ),
          ]
        : []),
      // Not grave, because a newer version may update more columns than this version.
      ...(columns.excess.length > 0
        ? [
            flaw(
              `Role ${role} must not have update on ${columns.excess.join(', ')} of ${table}. Run \`${asTyped('migrate')}\`, or${asOwner}: revoke update on ${target} from ${name}, public; grant update (${(updatedColumns[table] ?? []).join(', ')}) on ${target} to ${name};`,
            ),
          ]
        : []),
      // Reported only if `select` is missing. A newer version may revoke other rights, but every table is read.
      ...(lacking.includes('select')
        ? [
            flaw(
              `Role ${role} lacks ${lacking.join(', ')} on ${table}. Run \`${asTyped('migrate')}\`, or${asOwner}: grant ${lacking.join(', ')} on ${target} to ${name};`,
              true,
            ),
          ]
        : []),
    ];
  });
}

async function roleFlaws(client: pg.ClientBase, role: string, owner: string): Promise<RightsFlaw[]> {
  const name = pg.escapeIdentifier(role);
  if (role === owner)
    return [
      flaw(
        `Role ${role} runs the service and owns the tables, so it can grant itself any right and drop them. Let another role own them; see docs/operating.md#two-roles.`,
      ),
    ];
  const { rows } = await client.query<{
    createsRoles: boolean;
    isMember: boolean;
    ownsDatabase: boolean;
    database: string;
    creates: boolean;
    schema: string;
  }>(
    `select r.rolcreaterole as "createsRoles",
            pg_has_role(r.oid, c.relowner, 'member') as "isMember",
            d.datdba = r.oid as "ownsDatabase", d.datname::text as database,
            has_schema_privilege(r.oid, c.relnamespace, 'create') as creates, c.relnamespace::regnamespace::text as schema
     from pg_roles r, pg_database d, pg_class c
     where r.rolname = current_user and d.datname = current_database() and c.oid = to_regclass('schema_migration')`,
  );
  const [found] = rows;
  if (found === undefined) return [];
  const ownerName = pg.escapeIdentifier(owner);
  return [
    ...(found.isMember
      ? [
          flaw(
            `Role ${role} is a member of ${owner}, which owns the tables: revoke ${ownerName} from ${name};`,
          ),
        ]
      : []),
    ...(found.createsRoles
      ? [flaw(`Role ${role} may create and change roles: alter role ${name} nocreaterole;`)]
      : []),
    ...(found.ownsDatabase
      ? [
          flaw(
            `Role ${role} owns the database and could drop it: alter database ${pg.escapeIdentifier(found.database)} owner to ${ownerName};`,
          ),
        ]
      : []),
    ...(found.creates
      ? [
          flaw(
            `Role ${role} may create tables: revoke create on schema ${found.schema} from ${name}, public;`,
          ),
        ]
      : []),
  ];
}

const flaw = (message: string, isGrave = false): RightsFlaw => ({ isGrave, message });
