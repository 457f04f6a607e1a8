import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { migrate } from '../../src/platform/database/schema/migrate.ts';
import { killLeftovers, spawnAttribution, until } from '../attribution-process.ts';
import { createEmptyDatabase, urlsOf } from '../database-url.ts';
import { runInProcess } from '../run-in-process.ts';
import { connect } from '../test-database.ts';
import { type OlderInstallation, readOlderContents, restoreOlderInstallation } from './older-installation.ts';

/**
 * Posted rows of two more publishers. Copying these rows takes several steps of 5,000 rows, and one of the
 * steps contains rows of both publishers.
 */
const further = { small: 3_000, large: 24_000 };

let installation: OlderInstallation;
let admin: pg.Client;
beforeAll(async () => {
  installation = await restoreOlderInstallation(readOlderContents());
  const client = await connectForAll();
  // Simulates an autovacuum run before a large import, so that the planner expects no rows for the further
  // publishers.
  await client.query('analyze');
  for (const [publisherId, rows] of Object.entries(further)) await addSettledRows(client, publisherId, rows);
  await addTwoOfOneEntry(client);
  // A table that doesn't belong to the service is left alone.
  await client.query(`
    create table kept as
    select a.publisher_id, a.attribution_id, p.share_millionths, p.share_minor, p.share_rule
    from attribution a
    join payment p using (publisher_id, attribution_id)
    where p.settled_at is not null`);
});
afterAll(async () => {
  killLeftovers();
  await admin?.end();
  await installation?.drop();
});

async function connectForAll(): Promise<pg.Client> {
  admin = new pg.Client(installation.adminConnection);
  await admin.connect();
  return admin;
}

/** Adds posted purchases of one member, oldest first, a second apart. */
async function addSettledRows(client: pg.Client, publisherId: string, rows: number): Promise<void> {
  const id = `(lpad(to_hex((extract(epoch from timestamptz '2025-12-01Z') * 1000)::bigint + n * 1000), 12, '0') || '7' || left(md5(n::text), 3) || 'a' || right(md5(n::text), 15))::uuid`;
  await client.query(`
    begin;
    set local session_replication_role = replica;
    insert into publisher (publisher_id, name) values ('${publisherId}', 'x');
    insert into creator_group (publisher_id, group_id, name, share_millionths) values ('${publisherId}', 'main', 'x', 100000);
    insert into membership (publisher_id, membership_id, group_id, account_id, status)
    values ('${publisherId}', '01900000-0000-7000-8000-000000000001', 'main', 'acc_alice', 'Approved');
    insert into attribution (publisher_id, attribution_id, transaction_id, split_index, group_id, membership_id, code, description,
                             status, is_test, origin, subtotal_minor, currency, total_minor, total_currency, transaction_date,
                             group_share_millionths)
    select '${publisherId}', ${id}, 'order-' || n, 0, 'main', '01900000-0000-7000-8000-000000000001', 'ALICE', '', 'Normal', false, 'api',
           100 + n % 1000, 'USD', 100, 'USD', timestamptz '2025-12-01Z' + n * interval '1 second', 100000
    from generate_series(1, ${rows}) n;
    insert into payment (publisher_id, attribution_id, group_id, membership_id, currency, transaction_date, share_millionths,
                         share_minor, share_rule, share_source, settled_at)
    select publisher_id, attribution_id, group_id, membership_id, currency, transaction_date, 100000,
           share_of(subtotal_minor, 100000), 'group', 'main', now()
    from attribution
    where publisher_id = '${publisherId}';
    insert into ledger_entry (publisher_id, subject_id, kind, membership_id, currency, amount_minor)
    select publisher_id, attribution_id, 'payment', membership_id, currency, share_minor from payment where publisher_id = '${publisherId}';
    insert into member_balance (publisher_id, membership_id, currency, balance_minor)
    select publisher_id, membership_id, currency, sum(share_minor) from payment where publisher_id = '${publisherId}' group by 1, 2, 3;
    insert into earning_rollup (publisher_id, group_id, day, membership_id, code, currency, row_count, gross_minor, share_minor,
                                reversed_count, reversed_gross_minor, reversed_share_minor)
    select publisher_id, group_id, (transaction_date at time zone 'UTC')::date, membership_id, code, currency, count(*),
           sum(subtotal_minor), sum(share_of(subtotal_minor, 100000)), 0, 0, 0
    from attribution
    where publisher_id = '${publisherId}'
    group by 1, 2, 3, 4, 5, 6;
    commit`);
}

/** Adds two unposted rows whose ids differ only in their last bits. */
const addTwoOfOneEntry = (client: pg.Client): Promise<unknown> =>
  client.query(`
    begin;
    set local session_replication_role = replica;
    insert into attribution (publisher_id, attribution_id, transaction_id, split_index, group_id, membership_id, code, description,
                             status, is_test, origin, subtotal_minor, currency, total_minor, total_currency, transaction_date,
                             group_share_millionths)
    select 'small', ('019bf7b0-0000-7000-8000-00000000000' || n)::uuid, 'pair-' || n, 0, 'main', '01900000-0000-7000-8000-000000000001',
           'ALICE', '', 'Normal', false, 'api', 1000, 'USD', 100, 'USD', '2025-12-24Z', 100000
    from generate_series(1, 2) n;
    insert into unsettled (publisher_id, unsettled_id, attribution_ids)
    select publisher_id, (array_agg(attribution_id order by attribution_id))[1], array_agg(attribution_id)
    from attribution
    where transaction_id like 'pair-%'
    group by 1;
    commit`);

const one = async (text: string): Promise<Record<string, unknown>> => (await admin.query(text)).rows[0];
/** Returns the number of posted rows whose share differs from their payment's. */
const different = async (which = 'true'): Promise<unknown> =>
  (
    await one(`
      select count(*)::int as n
      from kept k
      join attribution a using (attribution_id)
      where (a.share_millionths, a.share_minor, a.share_rule) is distinct from (k.share_millionths, k.share_minor, k.share_rule)
        and ${which}`)
  ).n;
const copied = async (): Promise<number> =>
  Number((await one('select count(share_rule) as n from attribution')).n);

test('two processes resume a copy that was killed between steps, and every row keeps its posted share', async () => {
  const environment = urlsOf(installation);
  const first = spawnAttribution(['migrate', '--prepare'], { environment });
  await until('a step to be done', async () => {
    const { there } = await one("select to_regclass('share_copy') is not null as there");
    return there === true && (await copied()) > 0;
  });
  first.kill('SIGKILL');
  await first.ended;
  await until('its connection to end', async () => {
    const { n } = await one(
      `select count(*)::int as n from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    );
    return n === 0;
  });
  const before = await copied();
  expect(before).toBeGreaterThanOrEqual(5_000 - 149);
  expect(before, 'it was killed in the middle').toBeLessThan(further.large);

  const both = await Promise.all([1, 2].map(() => runInProcess(['migrate', '--prepare'], { environment })));
  for (const outcome of both)
    expect(outcome).toMatchObject({ code: 0, stdout: expect.stringContaining('0013') });
  // The fixture's rows were recorded less than a minute before the first unposted row, and are left for the switch.
  expect(await different("k.publisher_id in ('small', 'large')")).toBe(0);
  expect(await copied(), 'nothing else is copied').toBeLessThanOrEqual(
    Number((await one('select count(*) as n from kept')).n),
  );
});

test('a switch without its lock keeps the schema of 0.1.0, which can start again', async () => {
  const blocker = await connect(installation.adminConnection);
  await blocker.query('begin; lock table ledger_entry in access share mode');
  await expect(migrate(installation.ownerConnection, { patienceMs: 100 })).rejects.toThrow(/0014_posting/);
  await blocker.query('rollback');
  expect(await one('select max(name) as newest from schema_migration')).toEqual({
    newest: expect.stringMatching(/^0008_/),
  });
});

test('the switch applies the preparation, counts unposted rows by entry, and cleans up', async () => {
  const environment = urlsOf(installation);
  const switched = await runInProcess(['migrate', '--json'], { environment });
  expect(switched).toMatchObject({ code: 0 });
  const { applied } = JSON.parse(switched.stdout);
  expect(applied.slice(0, applied.indexOf('0014_posting.sql') + 1)).toEqual([
    '0009_payouts-in-steps.sql',
    '0010_ledger-checks.sql',
    '0011_audit.sql',
    '0012_shares-on-rows.sql',
    '0013_copy-shares.sql',
    '0014_posting.sql',
  ]);
  expect(
    await one(`select to_regclass('schema_preparation') as preparation, to_regclass('share_copy') as copy`),
  ).toEqual({ preparation: null, copy: null });
  expect(
    (await admin.query("select recording_id, row_count from unposted where publisher_id = 'small'")).rows,
  ).toEqual([{ recording_id: '019bf7b0-0000-7000-8000-000000000000', row_count: 2 }]);
  for (const [publisherId, rows] of Object.entries(further))
    expect(
      await one(
        `select sum(all_count)::int as n from transaction_count where publisher_id = '${publisherId}'`,
      ),
    ).toEqual({
      n: rows,
    });
  expect(await different()).toBe(0);
  const verified = await runInProcess(['ledger', 'verify', '--all', '--json'], { environment });
  expect(verified).toMatchObject({ code: 0 });
});

test('an empty database has nothing to prepare, and a preparation of another build is rejected with a message', async () => {
  const client = await connect(installation.ownerConnection);
  await client.query("delete from schema_migration where name >= '0014'");
  await client.query(
    "create table schema_preparation (name text primary key, sha256 text not null); insert into schema_preparation values ('0014_posting.sql', 'x')",
  );
  for (const words of [['migrate'], ['migrate', '--prepare']])
    expect(await runInProcess(words, { environment: urlsOf(installation) })).toMatchObject({
      code: 1,
      stderr:
        'The database cannot be used: migration 0014_posting.sql was prepared by a different build; finish the upgrade with that build.\n',
    });
  await client.query('drop table schema_preparation');

  const empty = await createEmptyDatabase();
  onTestFinished(empty.drop);
  expect(await runInProcess(['migrate', '--prepare'], { environment: urlsOf(empty) })).toMatchObject({
    code: 1,
    stderr: 'The database is empty, so there is nothing to prepare. Run `npx attribution migrate`.\n',
  });
});
