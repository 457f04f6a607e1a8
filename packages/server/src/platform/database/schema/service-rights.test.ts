import type pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createEmptyDatabase } from '../../../../test/database-url.ts';
import { connect, createTestDatabase, type TestDatabase } from '../../../../test/test-database.ts';
import { examineRights } from './examine-rights.ts';
import { migrate } from './migrate.ts';
import { prepareDatabase } from './prepare-database.ts';
import { forbiddenRights, updatedColumns } from './service-rights.ts';

async function preparedDatabase() {
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  return {
    ...database,
    service: await connect(database.connection),
    owner: await connect(database.ownerConnection),
  };
}

/** Database shared by tests in which every statement is rejected. */
let untouched: TestDatabase;
beforeAll(async () => {
  untouched = await createTestDatabase();
});
afterAll(() => untouched.drop());

const privileges = async (client: pg.Client): Promise<unknown> =>
  (
    await client.query('select relname, relacl::text from pg_class where relkind = $1 order by relname', [
      'r',
    ])
  ).rows;

test('denies the service exactly the privileges that migrations revoke from the owner', async () => {
  const { ownerConnection, drop } = await createEmptyDatabase();
  onTestFinished(drop);
  await migrate(ownerConnection);
  const owner = await connect(ownerConnection);
  const { rows } = await owner.query<{ name: string; revoked: string[] }>(
    `select c.relname as name, array(
       select r.name from unnest(array['insert', 'update', 'delete']) r (name)
       where not has_table_privilege(c.oid, r.name)) as revoked
     from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by c.relname`,
  );
  const byMigrations = rows.filter(({ revoked }) => revoked.length > 0);
  const byList = Object.entries(forbiddenRights)
    .filter(([name]) => name !== 'schema_migration')
    .map(([name, revoked]) => ({ name, revoked }));
  expect(byMigrations).toEqual(byList.toSorted((one, other) => (one.name < other.name ? -1 : 1)));
});

test('grants the service’s role update only on the listed columns of tables about money', async () => {
  const { connection, ownerConnection } = untouched;
  const service = await connect(connection);
  const { rows } = await service.query<{ name: string; columns: string[] }>(
    `select table_name::text as name, array_agg(column_name::text order by column_name::text) as columns
     from information_schema.column_privileges
     where grantee = current_user and privilege_type = 'UPDATE' and table_name = any($1)
     group by table_name`,
    [Object.keys(updatedColumns)],
  );
  expect(Object.fromEntries(rows.map(({ name, columns }) => [name, columns]))).toEqual(
    Object.fromEntries(Object.entries(updatedColumns).map(([name, columns]) => [name, columns.toSorted()])),
  );
  // Every table that contains amounts must be in one of the lists.
  const owner = await connect(ownerConnection);
  const withAmounts = await owner.query<{ name: string }>(
    `select distinct c.relname as name
     from pg_class c
     join pg_attribute a on a.attrelid = c.oid and a.attname like '%\\_minor' and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     order by 1`,
  );
  const guarded = (name: string) =>
    updatedColumns[name] !== undefined || (forbiddenRights[name]?.includes('update') ?? false);
  const others = withAmounts.rows.map(({ name }) => name).filter((name) => !guarded(name));
  expect(others).toEqual(chosen);
});

/** Tables that contain amounts chosen by staff. */
const chosen: readonly string[] = ['bounty_reward'];

test('finds no problems in a prepared database, and changes nothing when it is prepared again', async () => {
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
  'update attribution set subtotal_minor = 1',
  'update attribution set share_minor = 1, status = status',
  'update attribution set membership_id = membership_id',
  'update payment set share_minor = 1',
  'update payment set paid_at = now()',
  'delete from payment',
  'update payout_batch set currency = currency',
  'update payout_batch set total_minor = 1',
  'update payout_batch set member_count = member_count, row_count = row_count',
  'update payout_batch set planned_count = 1000',
  'delete from payout_batch',
  'update payout_item set amount_minor = 1',
  'delete from payout_item',
  'update clawback set amount_minor = 1',
  'delete from clawback',
  'update reward_payment set amount_minor = 1',
  'update earning_rollup set membership_id = membership_id',
  'delete from member_balance',
  "update refund_record set action = 'Fraud'",
  'update posting set posted_at = now()',
  'delete from posting',
  "update audit_entry set actor_name = 'other'",
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
])('rejects this statement of the service’s role: %s', async (statement) => {
  const service = await connect(untouched.connection);
  const outcome = await service.query(statement).then(
    () => null,
    (error: { code: string }) => error.code,
  );
  if (statement.startsWith('grant')) {
    // PostgreSQL accepts the statement but doesn't grant any privileges.
    expect((await service.query("select has_table_privilege('ledger_entry', 'update') as may")).rows).toEqual(
      [{ may: false }],
    );
  } else expect(outcome).toBe('42501');
});

test.each([
  [
    'grant update on ledger_entry to attribution',
    /must not have update on ledger_entry.*revoke update on "public"."ledger_entry"/,
    true,
  ],
  [
    'grant update (amount_minor) on ledger_entry to attribution',
    /must not have update on ledger_entry/,
    true,
  ],
  ['grant delete on refund_record to public', /must not have delete on refund_record/, true],
  [
    'grant update (reason), delete on audit_entry to attribution',
    /must not have update, delete on audit_entry/,
    true,
  ],
  [
    'grant update on attribution to attribution',
    /must not have update on .*subtotal_minor.* of attribution.*grant update \(status, player_id, player_name, metrics, code\)/,
    false,
  ],
  [
    'grant update (amount_minor) on clawback to public',
    /must not have update on amount_minor of clawback/,
    false,
  ],
  ['grant truncate on attribution to attribution', /must not have truncate on attribution/, false],
  ['grant delete on schema_migration to attribution', /must not have delete on schema_migration/, false],
  [
    'revoke select, insert on attribution from attribution',
    /lacks select, insert on attribution.*grant select, insert/,
    true,
  ],
  ['grant create on schema public to public', /may create tables/, false],
] as const)(
  'names the flaw after `%s`, and `attribution migrate` fixes it',
  async (statement, message, isGrave) => {
    const { connection, ownerConnection, service, owner } = await preparedDatabase();
    await owner.query(statement);
    expect(await examineRights(service)).toEqual([{ isGrave, message: expect.stringMatching(message) }]);
    await prepareDatabase({ connection, ownerConnection });
    expect(await examineRights(service)).toEqual([]);
  },
);

test('allows a single role for both, warns about it, and revokes its privileges to change the ledger', async () => {
  const database = await createEmptyDatabase();
  onTestFinished(database.drop);
  const single = { connection: database.ownerConnection, ownerConnection: database.ownerConnection };
  await prepareDatabase(single);
  const owner = await connect(database.ownerConnection);
  const advice = { isGrave: false, message: expect.stringContaining('runs the service and owns the tables') };
  expect(await examineRights(owner)).toEqual([advice]);

  // Simulates a restore that omitted the old role's privileges.
  await owner.query('grant all on ledger_entry, refund_record to current_user');
  expect((await examineRights(owner)).filter(({ isGrave }) => isGrave)).toHaveLength(2);
  await prepareDatabase(single);
  expect(await examineRights(owner)).toEqual([advice]);
});

test('rejects a migration by a role that does not own the tables, with the statement that fixes it', async () => {
  const { connection } = await preparedDatabase();
  await expect(prepareDatabase({ connection, ownerConnection: connection })).rejects.toThrow(
    /^This migration runs as role attribution, but role attribution_owner owns the tables\. Set DATABASE_OWNER_URL to a URL of role attribution_owner\. .* as a superuser in database \w+: reassign owned by "attribution_owner" to "attribution";$/,
  );
});
