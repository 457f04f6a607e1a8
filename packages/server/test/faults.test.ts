import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../src/platform/database/database.ts';
import type { EmbeddedCluster } from '../src/platform/database/embedded/embedded-cluster.ts';
import { prepareDatabase } from '../src/platform/database/schema/prepare-database.ts';
import { until } from './attribution-process.ts';
import { postgresProcesses } from './data-folder.ts';
import { type FixtureKeys, provisionFixtures, purchase } from './fixtures.ts';
import { temporaryCluster } from './temporary-cluster.ts';
import { connect } from './test-database.ts';
import { startService, type TestService } from './test-service.ts';

const transactions = '/v1/attributions/transactions';
const withinMs = 5_500; // five seconds, plus the delay on a busy machine

let cluster: EmbeddedCluster;
let service: TestService;
let keys: FixtureKeys;
let admin: pg.ClientConfig;
beforeAll(async () => {
  cluster = await temporaryCluster();
  await prepareDatabase(cluster);
  admin = { ...cluster.connection, user: 'postgres' };
  // With the service's default limits.
  const database = openDatabase({ ...cluster, poolSize: 10, recordLanes: 2, applicationName: 'faults' });
  service = await startService({
    environment: { MAX_CONNECTIONS_PER_ADDRESS: '2000' }, // both publishers share an address here
    on: { ...cluster, adminConnection: admin, database, drop: () => database.close() },
  });
  keys = await provisionFixtures(service);
  for (const [key, code] of [
    [keys.backend, 'ALICE'],
    [keys.rival, 'RIVAL'],
  ] as const)
    for (const transactionId of ['first', 'second']) {
      const json = purchase({ transactionId, code });
      expect(await service.call('POST', transactions, { key, json })).toMatchObject({ status: 200 });
    }
});
afterAll(async () => {
  await service.close();
  await service.testDatabase.drop();
  await cluster.stop();
});

interface Timed {
  status: number;
  retryAfter: string | null;
  message: string;
  ms: number;
}

async function ask(method: string, path: string, key: string | null, json?: object): Promise<Timed> {
  const startedAtMs = performance.now();
  const answer = await service.call(method, path, { key, ...(json !== undefined && { json }) });
  return {
    status: answer.status,
    retryAfter: answer.headers.get('retry-after'),
    message: answer.body?.message ?? '',
    ms: performance.now() - startedAtMs,
  };
}

const list = (key = keys.backend) => ask('GET', transactions, key);
const create = (key = keys.backend, code = 'ALICE') => ask('POST', transactions, key, purchase({ code }));
const update = (key = keys.backend) => ask('PATCH', `${transactions}/first`, key, { playerId: 'p-9' });
const ready = () => ask('GET', '/readyz', null);

function expectRefused(answers: readonly Timed[], words: RegExp): void {
  for (const answer of answers) {
    expect(answer).toMatchObject({ status: 503, retryAfter: '1', message: expect.stringMatching(words) });
    expect(answer.ms).toBeLessThan(withinMs);
  }
}

async function comesBack(): Promise<void> {
  await until('readiness', async () => (await ready()).status === 200);
  await until('creates', async () => (await create()).status === 200);
  expect([(await list()).status, (await update()).status]).toEqual([200, 200]);
}

describe('a database that is read-only', () => {
  test('answers reads, rejects changes, and accepts changes again by itself', async () => {
    const operator = await connect(admin);
    const set = async (value: string): Promise<void> => {
      await operator.query(`alter system set default_transaction_read_only = ${value}`);
      await operator.query('select pg_reload_conf()');
    };
    onTestFinished(() => set('off'));
    await set('on');
    await until('the process not to be ready', async () => (await ready()).status === 503);
    expectRefused([await ready()], /read-only/);
    expectRefused([await create(), await update()], /read-only/);
    for (const path of [transactions, `${transactions}/first`, '/v1/attributions/ping', '/v1/manage/members'])
      expect([path, (await ask('GET', path, keys.backend)).status]).toEqual([path, 200]);

    // A process can start in the meantime.
    const other = await startService({ beside: service });
    expect((await other.call('GET', transactions, { key: keys.backend })).status).toBe(200);
    await other.close();

    await set('off');
    await comesBack();
  });
});

describe('a lock held by another transaction', () => {
  const locked = async (statement: string): Promise<pg.Client> => {
    const holder = await connect(admin);
    await holder.query(`begin; ${statement}`);
    return holder;
  };

  test('on a whole table delays requests that use it by five seconds, and doesn’t affect any others', async () => {
    const holder = await locked('lock table attribution in access exclusive mode');
    const waiting = Promise.all([list(), update(), create(), list(keys.rival)]);
    for (const path of ['/v1/attributions/ping', '/v1/manage/members', '/readyz', '/healthz']) {
      const { status, ms } = await ask('GET', path, path.startsWith('/v1') ? keys.backend : null);
      expect([path, status]).toEqual([path, 200]);
      expect(ms).toBeLessThan(1_000);
    }
    expectRefused(await waiting, /busy/);
    await holder.query('rollback');
    await comesBack();
  });

  test("on one publisher's rows does not affect another, however many of its requests wait", async () => {
    const holder = await locked("select from attribution where publisher_id = 'aurora' for update");
    const waiting = Promise.all(Array.from({ length: 100 }, () => update()));
    const others: Timed[] = [];
    while (others.length < 15)
      others.push(await list(keys.rival), await update(keys.rival), await create(keys.rival, 'RIVAL'));
    expect(new Set(others.map(({ status }) => status))).toEqual(new Set([200]));
    // A request that waited for the lock would take five seconds. A busy machine takes a second or two for each.
    expect(Math.max(...others.map(({ ms }) => ms))).toBeLessThan(4_000);
    expectRefused(await waiting, /busy|not responding/);
    await holder.query('rollback');
    await comesBack();
  });
});

test('500 simultaneous updates by one publisher leave another publisher its turn, and do not affect readiness', async () => {
  const many = Promise.all(Array.from({ length: 500 }, () => update()));
  const others: Timed[] = [];
  for (let round = 0; round < 3; round += 1)
    others.push(await list(keys.rival), await update(keys.rival), await ready());
  expect(new Set(others.map(({ status }) => status))).toEqual(new Set([200]));
  for (const { status } of await many) expect([200, 503]).toContain(status);
});

test('a hanging database is 503 within five seconds, nothing piles up, and it recovers by itself', async () => {
  const watcher = await connect(admin);
  const { rows } = await watcher.query('show data_directory');
  const signal = (name: NodeJS.Signals): void => {
    for (const { pid } of postgresProcesses(rows[0].data_directory)) process.kill(pid, name);
  };
  signal('SIGSTOP');
  signal('SIGSTOP'); // also stops processes that PostgreSQL started during the first signal
  try {
    // More requests than connections, in two waves. The second wave finds the first wave's connections gone.
    for (let wave = 0; wave < 2; wave += 1) {
      const asked = Array.from({ length: 15 }, () => [list(), update(), create(), list(keys.rival), ready()]);
      expectRefused(await Promise.all(asked.flat()), /./);
    }
  } finally {
    signal('SIGCONT');
  }
  await comesBack();
  const left = await watcher.query(
    "select from pg_stat_activity where application_name = 'faults' and state <> 'idle' and query_start < now() - interval '1 second'",
  );
  expect(left.rowCount).toBe(0);
});
