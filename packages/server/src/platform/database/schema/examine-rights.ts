import pg from 'pg';
import { asTyped } from '../../program-name.ts';
import { isSuperuser, ownRole } from './grant-rights.ts';
import { appendOnly, readFunctionRights, readRights, updatedColumns, wrongRights } from './service-rights.ts';

/** Something about the service's role that is not as it should be, and the statement that mends it. */
export interface RightsFlaw {
  /** True when the service must not run: records of money could be changed, or it could not work. */
  isGrave: boolean;
  message: string;
}

/**
 * Looks at what the role of this connection, which must be the service's, may do.
 * @returns its flaws; none where owner and service are two roles with the rights they need
 */
export async function examineRights(client: pg.ClientBase): Promise<RightsFlaw[]> {
  const role = await ownRole(client);
  if (await isSuperuser(client, role))
    return [
      flaw(
        'The service connects as a superuser, whom no privilege stops: records of money could be changed. Use a role of its own, see docs/operating.md#two-roles.',
      ),
    ];
  const found = await readRights(client, role);
  const [first] = found;
  if (first === undefined) return []; // there are no tables yet
  const { owner } = first;
  return [
    ...tableFlaws(role, owner, wrongRights(found, role === owner)),
    ...(await functionFlaws(client, role)),
    ...(await roleFlaws(client, role, owner)),
  ];
}

/** Without them events go on being written for as long as there are partitions. */
async function functionFlaws(client: pg.ClientBase, role: string): Promise<RightsFlaw[]> {
  const found = await readFunctionRights(client, role);
  const name = pg.escapeIdentifier(role);
  return found.flatMap(({ signature, owner, isExecuted, isEverybodys }) => {
    const as = role === owner ? '' : `, as role ${owner}`;
    if (!isExecuted)
      return [
        flaw(
          `Role ${role} may not execute ${signature}. Run \`${asTyped('migrate')}\`, or${as}: grant execute on function ${signature} to ${name};`,
        ),
      ];
    return isEverybodys
      ? [
          flaw(
            `Everybody may execute ${signature}. Run \`${asTyped('migrate')}\`, or${as}: revoke execute on function ${signature} from public; grant execute on function ${signature} to ${name};`,
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
              `Role ${role} may ${excess.join(', ')} on ${table}, and must not. Run \`${asTyped('migrate')}\`, or${asOwner}: revoke ${excess.join(', ')} on ${target} from ${name}, public;`,
              appendOnly.includes(table),
            ),
          ]
        : []),
      // No reason not to start: a newer version may update more columns than this one.
      ...(columns.excess.length > 0
        ? [
            flaw(
              `Role ${role} may update ${columns.excess.join(', ')} of ${table}, and must not. Run \`${asTyped('migrate')}\`, or${asOwner}: revoke update on ${target} from ${name}, public; grant update (${(updatedColumns[table] ?? []).join(', ')}) on ${target} to ${name};`,
            ),
          ]
        : []),
      // A newer version may keep it from more than this one knows; but all is read.
      ...(lacking.includes('select')
        ? [
            flaw(
              `Role ${role} may not ${lacking.join(', ')} on ${table}. Run \`${asTyped('migrate')}\`, or${asOwner}: grant ${lacking.join(', ')} on ${target} to ${name};`,
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
        `Role ${role} serves and owns the tables, so it can give itself any right and drop them. Let another role own them, see docs/operating.md#two-roles.`,
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
      ? [flaw(`Role ${role} may make and change roles: alter role ${name} nocreaterole;`)]
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
            `Role ${role} may make tables of its own: revoke create on schema ${found.schema} from ${name}, public;`,
          ),
        ]
      : []),
  ];
}

const flaw = (message: string, isGrave = false): RightsFlaw => ({ isGrave, message });
