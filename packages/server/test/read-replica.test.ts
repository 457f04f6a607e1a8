import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { examineInstallation } from '../src/cli/installation/examine-installation.ts';
import { reachReplica } from '../src/cli/installation/reach-replica.ts';
import { readConfig } from '../src/platform/config.ts';
import { requestLimits } from '../src/platform/database/connections/limits.ts';
import { openDatabase } from '../src/platform/database/database.ts';
import { prepareDatabase } from '../src/platform/database/schema/prepare-database.ts';
import { type Asking, asRole } from './admin.ts';
import { until } from './attribution-process.ts';
import { type FixtureKeys, provisionFixtures, purchase } from './fixtures.ts';
import { secretsKey } from './sealer.ts';
import { findSystemPostgres, type SystemPostgres, startSystemPostgres } from './system-postgres.ts';
import { startService, type TestService } from './test-service.ts';
import { transactionsPath } from './transactions.ts';

const bin = findSystemPostgres();
if (bin === null)
  process.stderr.write('No whole PostgreSQL is installed: nothing is tried with a read replica.\n');

/** Age above which the replica of these tests is not read. */
const maxAgeMs = 2_000;

describe.skipIf(bin === null)('with a read replica', () => {
  let primary: SystemPostgres;
  let replica: SystemPostgres;
  let service: TestService;
  let keys: FixtureKeys;
  let owner: Asking;
  const told: string[] = [];
  const database = () => service.testDatabase.database;
  const state = () => database().replica?.state();
  const isUsed = () => until('the replica to be used', () => state() === 'used');
  const environment = (): Record<string, string> => ({
    DATABASE_URL: primary.url('attribution', 'shop'),
    DATABASE_READ_URL: replica.url('attribution', 'shop'),
    DATABASE_READ_MAX_AGE_SECONDS: String(maxAgeMs / 1_000),
    DATABASE_READ_LISTS: 'true',
    SECRETS_KEY: secretsKey,
  });

  beforeAll(async () => {
    primary = await startSystemPostgres(bin ?? '');
    await primary.makeDatabase('shop');
    const as = (user: string): pg.ClientConfig => ({ host: primary.folder, user, database: 'shop' });
    const [connection, ownerConnection] = [as('attribution'), as('attribution_owner')];
    await prepareDatabase({ connection, ownerConnection });
    replica = await primary.replicate();
    const config = readConfig(environment());
    const opened = openDatabase({
      connection,
      poolSize: 10,
      recordLanes: 1,
      applicationName: 'test',
      limits: requestLimits,
      replica: await reachReplica(config, connection, (message) => told.push(message)),
    });
    const testDatabase = {
      connection,
      ownerConnection,
      adminConnection: as('postgres'),
      database: opened,
      drop: async () => undefined,
    };
    service = await startService({ on: testDatabase });
    keys = await provisionFixtures(service);
    owner = await asRole(service, 'owner');
    for (const n of Array(20).keys()) await record(`first-${n}`);
  });
  afterAll(async () => {
    await service?.close();
    await service?.testDatabase.database.close();
    await replica?.stop();
    await primary?.stop();
  });

  /** Pauses replay. This takes effect with a delay, so the replica may still apply another commit. */
  const pauseReplay = async (): Promise<void> => {
    await replica.admin('shop', 'select pg_wal_replay_pause()');
    const isPaused = "select 1 where pg_get_wal_replay_pause_state() = 'paused'";
    await until('the replica to pause', async () => (await replica.admin('shop', isPaused)).length > 0);
  };
  const record = (transactionId: string) =>
    service.call('POST', transactionsPath, { key: keys.backend, json: purchase({ transactionId }) });
  const list = () => service.call('GET', transactionsPath, { key: keys.backend });
  const get = (transactionId: string) =>
    service.call('GET', `${transactionsPath}/${transactionId}`, { key: keys.backend });
  const csv = async () => (await owner('GET', '/transactions.csv')).text.trim().split('\n').length - 1;

  test('lists, sums and exports are read there, with their maximum age', async () => {
    await isUsed();
    await until('the replica to have all', async () => (await list()).body.length === 20);
    const before = database().replica?.counts().replica ?? 0;
    for (const answer of [
      await list(),
      await owner('GET', '/overview'),
      await owner('GET', '/transactions.csv'),
    ]) {
      expect(answer.status).toBe(200);
      expect(Number(answer.headers.get('x-data-age'))).toBeLessThanOrEqual(maxAgeMs / 1_000);
    }
    expect(database().replica?.counts().replica).toBeGreaterThan(before + 3);
    expect((await get('first-0')).headers.get('x-data-age')).toBeNull();
    const { body } = await service.call('GET', '/readyz', { key: null });
    expect(body).toEqual({ status: 'ready', replica: 'used' });
  });

  test('a purchase can be read immediately, regardless of the replica’s state', async () => {
    await isUsed();
    await primary.admin('shop', 'select 1');
    await pauseReplay();
    try {
      await record('fresh');
      expect(await get('fresh')).toMatchObject({ status: 200 });
      expect((await list()).body).toHaveLength(20);
      expect(await csv()).toBe(20);
    } finally {
      await replica.admin('shop', 'select pg_wal_replay_resume()');
    }
    await until('the replica to have it', async () => (await list()).body.length === 21);
  });

  test('a replica that stays too far behind is not used until it has caught up', async () => {
    await isUsed();
    await pauseReplay();
    try {
      await record('late');
      // On a busy machine, checks may be delayed so long that the replica counts as late too early. The
      // replica reliably stays late once the purchase that it lacks is older than the maximum age.
      const recordedAtMs = performance.now();
      const isTooOld = () => performance.now() - recordedAtMs > maxAgeMs;
      await until('the replica to be too far behind', () => isTooOld() && state() === 'late');
      const answer = await list();
      expect(answer.body).toHaveLength(22);
      expect(answer.headers.get('x-data-age')).toBeNull();
      expect(await csv()).toBe(22);
      expect((await service.call('GET', '/metrics', { key: null })).text).toMatch(
        /attribution_read_replica_used 0[\s\S]*attribution_report_statements_total\{from="primary"\} \d/,
      );
      const isLogged = (): boolean =>
        /the replica is behind by \d s; reports are read from the primary/.test(told.at(-1) ?? '');
      await until('it to be logged', isLogged); // at the next check
      const findings = await examineInstallation(readConfig(environment()));
      expect(findings.find(({ check }) => check === 'replica')).toMatchObject({
        state: 'warning',
        message: expect.stringMatching(/bytes of WAL behind/),
      });
    } finally {
      await replica.admin('shop', 'select pg_wal_replay_resume()');
    }
    await isUsed();
    await until('that to be told, too', () => told.at(-1) === 'reports are read from the replica again');
    const findings = await examineInstallation(readConfig(environment()));
    expect(findings.find(({ check }) => check === 'replica')).toMatchObject({ state: 'ok' });
  });

  test('a statement that conflicts with a change is retried once on the primary', async () => {
    await isUsed();
    const { reports } = database();
    const cancel = async (): Promise<void> => {
      const running = "query like '%pg_sleep(1)%' and pid <> pg_backend_pid() and state = 'active'";
      const end = `select pg_cancel_backend(pid) from pg_stat_activity where ${running}`;
      await until('the statement to run', async () => (await replica.admin('shop', end)).length > 0);
    };
    const { sql } = await import('kysely');
    const [{ rows }] = await Promise.all([
      sql<{ isReplica: boolean }>`select pg_is_in_recovery() as "isReplica", pg_sleep(1)`.execute(reports),
      cancel(),
    ]);
    expect(rows[0]?.isReplica).toBe(false);
    expect(state()).toBe('used');
  });

  test('nothing is written through it, and transactions use the primary', async () => {
    await isUsed();
    const { sql } = await import('kysely');
    const { reports } = database();
    await expect(sql`delete from unposted`.execute(reports)).rejects.toMatchObject({ code: '25006' });
    const where = await reports
      .transaction()
      .execute(
        async (tx) => (await sql<{ r: boolean }>`select pg_is_in_recovery() as r`.execute(tx)).rows[0]?.r,
      );
    expect(where).toBe(false);
  });

  test('when it is killed during lists and exports, no request fails and every file is complete', async () => {
    await isUsed();
    let isOver = false;
    const asking = async (): Promise<number> => {
      let asked = 0;
      for (; !isOver; asked += 1) {
        expect(await list()).toMatchObject({ status: 200 });
        expect(await csv()).toBe(22);
      }
      return asked;
    };
    const readers = [asking(), asking()]; // as many exports as a person may run at once
    await replica.kill();
    await until('the primary to answer alone', () => state() === 'away');
    const before = database().replica?.counts().primary ?? 0;
    await until('more to be answered', () => (database().replica?.counts().primary ?? 0) > before + 20);
    isOver = true;
    for (const asked of await Promise.all(readers)) expect(asked).toBeGreaterThan(0);
    expect((await service.call('GET', '/readyz', { key: null })).body).toEqual({
      status: 'ready',
      replica: 'away',
    });
    expect(told.at(-1)).toMatch(
      /^the replica is unavailable; reports are read from the primary: Couldn't reach the database/,
    );
    await replica.start();
    await isUsed();
  });

  test('a replica of another database stops the start; one that is down does not', async () => {
    const reach = async (readUrl: string): Promise<string[]> => {
      const warnings: string[] = [];
      const config = readConfig({ ...environment(), DATABASE_READ_URL: readUrl });
      await reachReplica(config, service.testDatabase.connection, (message) => warnings.push(message));
      return warnings;
    };
    await expect(reach(replica.url('attribution', 'postgres'))).rejects.toThrow(
      /a different database than DATABASE_URL/,
    );
    const other = await startSystemPostgres(bin ?? '');
    await other.admin('postgres', 'create role attribution login', 'create database shop');
    const url = other.url('attribution', 'shop');
    await expect(reach(url)).rejects.toThrow(/a different database than DATABASE_URL/);
    await other.stop();
    expect(await reach(url)).toEqual([expect.stringMatching(/replica is unavailable.*DATABASE_READ_URL/)]);
    expect(await reach(replica.url('nobody', 'shop'))).toEqual([
      expect.stringMatching(/replica is unavailable/),
    ]);
    expect(await reach(primary.url('attribution', 'shop'))).toEqual([
      expect.stringMatching(/accepts writes/),
    ]);
    await expect(reach(`${url}&sslmode=maybe`)).rejects.toThrow(/DATABASE_READ_URL has sslmode/);
  });

  test('a promoted replica is no longer read, and nothing is written to it', async () => {
    await isUsed();
    await replica.admin('shop', 'select pg_promote()');
    await until('it to be noticed', () => state() === 'away');
    await record('after-promotion');
    expect((await list()).body).toHaveLength(23);
    expect(told.at(-1)).toMatch(/accepts writes: the primary itself, or a promoted replica/);
  });
});
