import type pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createEmptyDatabase } from '../../../../test/database-url.ts';
import { connect, createTestDatabase, type TestDatabase } from '../../../../test/test-database.ts';
import { examineRights } from './examine-rights.ts';
import { migrate } from './migrate.ts';
import { prepareDatabase } from './prepare-database.ts';
import { keptFromService } from './service-rights.ts';

async function preparedDatabase() {
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  return {
    ...database,
    service: await connect(database.connection),
    owner: await connect(database.ownerConnection),
  };
}

/** For what is refused. */
let untouched: TestDatabase;
beforeAll(async () => {
  untouched = await createTestDatabase();
});
afterAll(() => untouched.drop());

/** Each table's rights in the catalogue, whoever has them. */
const privileges = async (client: pg.Client): Promise<unknown> =>
  (
    await client.query('select relname, relacl::text from pg_class where relkind = $1 order by relname', [
      'r',
    ])
  ).rows;

test('what migrations keep their own role from, the list keeps the service from, and the other way round', async () => {
  const { ownerConnection, drop } = await createEmptyDatabase();
  onTestFinished(drop);
  await migrate(ownerConnection);
  const owner = await connect(ownerConnection);
  const { rows } = await owner.query<{ name: string; kept: string[] }>(
    `select c.relname as name, array(
       select r.name from unnest(array['insert', 'update', 'delete']) r (name)
       where not has_table_privilege(c.oid, r.name)) as kept
     from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by c.relname`,
  );
  const byMigrations = rows.filter(({ kept }) => kept.length > 0);
  const byList = Object.entries(keptFromService)
    .filter(([name]) => name !== 'schema_migration')
    .map(([name, kept]) => ({ name, kept }));
  expect(byMigrations).toEqual(byList.toSorted((one, other) => (one.name < other.name ? -1 : 1)));
});

test('the service’s role has no flaw, and a second look changes nothing', async () => {
  const { connection, ownerConnection, service } = await preparedDatabase();
  expect(await examineRights(service)).toEqual([]);
  const before = await privileges(service);
  await prepareDatabase({ connection, ownerConnection });
  expect(await privileges(service)).toEqual(before);
});

test.each([
  'update ledger_entry set amount_minor = 0',
  'delete from ledger_entry',
  'truncate ledger_entry',
  'truncate attribution cascade',
  'delete from attribution',
  'delete from membership',
  "update refund_record set action = 'Fraud'",
  'update posting set posted_at = now()',
  'delete from posting',
  "update audit_entry set actor_name = 'nobody'",
  'delete from audit_entry',
  'truncate audit_entry',
  'delete from schema_migration',
  "insert into schema_migration (name, sha256) values ('9999_x.sql', 'x')",
  'drop table ledger_entry',
  'alter table ledger_entry disable trigger all',
  'alter table ledger_entry owner to current_user',
  'grant update on ledger_entry to current_user',
  'create table mine (id int)',
  'create index on ledger_entry (amount_minor)',
  'set role attribution_owner',
])('the service’s role may not: %s', async (statement) => {
  const service = await connect(untouched.connection);
  const outcome = await service.query(statement).then(
    () => null,
    (error: { code: string }) => error.code,
  );
  if (statement.startsWith('grant')) {
    // PostgreSQL takes the statement and gives nothing.
    expect((await service.query("select has_table_privilege('ledger_entry', 'update') as may")).rows).toEqual(
      [{ may: false }],
    );
  } else expect(outcome).toBe('42501');
});

test.each([
  [
    'grant update on ledger_entry to attribution',
    /may update on ledger_entry.*revoke update on "public"."ledger_entry"/,
    true,
  ],
  ['grant update (amount_minor) on ledger_entry to attribution', /may update on ledger_entry/, true],
  ['grant delete on refund_record to public', /may delete on refund_record/, true],
  ['grant update (reason), delete on audit_entry to attribution', /may update, delete on audit_entry/, true],
  ['grant truncate on attribution to attribution', /may truncate on attribution/, false],
  ['grant delete on schema_migration to attribution', /may delete on schema_migration/, false],
  [
    'revoke select, insert on attribution from attribution',
    /may not select, insert on attribution.*grant select, insert/,
    true,
  ],
  ['grant create on schema public to public', /may make tables of its own/, false],
] as const)(
  'after %s the flaw is named, and `attribution migrate` mends it',
  async (statement, message, isGrave) => {
    const { connection, ownerConnection, service, owner } = await preparedDatabase();
    await owner.query(statement);
    expect(await examineRights(service)).toEqual([{ isGrave, message: expect.stringMatching(message) }]);
    await prepareDatabase({ connection, ownerConnection });
    expect(await examineRights(service)).toEqual([]);
  },
);

test('one role for both may work, is kept from changing the ledger, and is told of', async () => {
  const database = await createEmptyDatabase();
  onTestFinished(database.drop);
  const single = { connection: database.ownerConnection, ownerConnection: database.ownerConnection };
  await prepareDatabase(single);
  const owner = await connect(database.ownerConnection);
  const advice = { isGrave: false, message: expect.stringContaining('serves and owns the tables') };
  expect(await examineRights(owner)).toEqual([advice]);

  // What a restore without the old role's rights leaves.
  await owner.query('grant all on ledger_entry, refund_record to current_user');
  expect((await examineRights(owner)).filter(({ isGrave }) => isGrave)).toHaveLength(2);
  await prepareDatabase(single);
  expect(await examineRights(owner)).toEqual([advice]);
});

test('migrating as a role that does not own the tables is refused, with the statement that mends it', async () => {
  const { connection } = await preparedDatabase();
  await expect(prepareDatabase({ connection, ownerConnection: connection })).rejects.toThrow(
    /^The tables belong to role attribution_owner, and the migration runs as attribution\. As a superuser, in database \w+: reassign owned by "attribution_owner" to "attribution";$/,
  );
});
