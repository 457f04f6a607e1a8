import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { upgradesFrom } from '../../src/platform/config.ts';
import { readMigrations } from '../../src/platform/database/schema/migration-files.ts';
import {
  type AttributionServer,
  killLeftovers,
  runAttribution,
  spawnAttribution,
  startServer,
  until,
} from '../attribution-process.ts';
import { createEmptyDatabase, type EmptyDatabase, urlsOf } from '../database-url.ts';
import { auroraProgram, purchase } from '../fixtures.ts';
import { lastMigration } from '../older/older-installation.ts';
import { startSteadyLoad } from '../steady-load.ts';
import { connect } from '../test-database.ts';
import { type OlderProgram, olderProgram } from './older-program.ts';

/** Number of purchases recorded before the upgrade. 0 in the suite; set by `npm run rollout`. */
const rows = Number(process.env.ROLLOUT_ROWS ?? 0);
const path = '/v1/attributions/transactions';
const perRequest = 500;

describe.skipIf(rows === 0)(`a rollout from ${upgradesFrom}, under load`, () => {
  let older: OlderProgram | string = '';
  beforeAll(() => {
    older = olderProgram(upgradesFrom);
    if (typeof older === 'string') process.stderr.write(`${older}\n`);
  }, 300_000);
  afterAll(() => {
    if (typeof older !== 'string') older.remove();
  });
  afterEach(killLeftovers);

  test('it serves while the upgrade is prepared, recovers from a killed switch, and loses nothing in a completed one', {
    timeout: 900_000 + rows * 10,
  }, async ({ skip }) => {
    if (typeof older === 'string') return skip(older);
    const rollout = await startOlder(older.executable);
    const { load, ours, serve, stop, prepare } = rollout;
    const preparedMs = await prepare();
    await load.more(200);

    // Kills migrate while it waits for its first lock, and again while it waits for a later one. The
    // migration is a single commit, so the older version keeps working.
    for (const table of ['unsettled', 'ledger_entry']) {
      await stop();
      await killMigrate(rollout.database, ours, table);
      await serve(older.executable);
      await load.more(200);
      await prepare();
    }

    // Kills migrate after the switch. The older version reports that it is too old, and the next migrate
    // continues.
    const stoppedAt = performance.now();
    await stop();
    await killMigrate(rollout.database, ours, 'webhook_event');
    const killedMs = performance.now() - stoppedAt;
    const refused = await runAttribution(['serve'], {
      environment: { ...rollout.theirs, PORT: '0' },
      program: older.executable,
    });
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('newer') });
    const againAt = performance.now();
    const switched = await runAttribution(['migrate'], { environment: ours });
    expect(switched, switched.stderr).toMatchObject({ code: 0 });
    await serve(undefined);
    const stoppedMs = killedMs + (performance.now() - againAt);
    await load.more(200);
    await load.stop();

    expect(load.refused).toEqual([]);
    await expectAllKept(rollout);
    const verified = await runAttribution(['ledger', 'verify', '--all'], { environment: ours });
    expect(verified, verified.stdout).toMatchObject({ code: 0 });
    await stop();
    process.stdout.write(
      `rollout from ${upgradesFrom} with ${rows} rows: prepared in ${inSeconds(preparedMs)} beside load, stopped for ${inSeconds(stoppedMs)} ` +
        `(with a kill behind the switch); ${load.saved.length} purchases and ${load.refunded.length} refunds meanwhile, none refused, none lost\n`,
    );
  });
});

const inSeconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

type Rollout = Awaited<ReturnType<typeof startOlder>>;

async function startOlder(program: string) {
  const database = await createEmptyDatabase();
  onTestFinished(database.drop);
  const ours = urlsOf(database);
  const theirs = { DATABASE_URL: ours.DATABASE_OWNER_URL ?? '' }; // 0.1.0 has one role for everything
  const run = async (words: string[], input = ''): Promise<string> => {
    const outcome = await runAttribution(words, { environment: theirs, program, input });
    expect(outcome, outcome.stderr).toMatchObject({ code: 0 });
    return outcome.stdout;
  };
  await run(['migrate']);
  await expectSchemaOfTests(database);
  const key: string = JSON.parse(await run(['provision', '-', '--json'], auroraProgram)).keys[0].key;

  let serving: AttributionServer[] = [];
  const serve = async (which: string | undefined): Promise<void> => {
    const environment = which === undefined ? ours : theirs;
    serving = await Promise.all([1, 2].map(() => startServer(environment, undefined, [], which)));
  };
  const stop = async (): Promise<void> => {
    const leaving = serving;
    serving = [];
    await sleep(100); // clients that chose a process have connected to it by now
    for (const server of leaving) server.kill('SIGTERM');
    for (const server of leaving) expect(await server.ended).toMatchObject({ code: 0 });
  };
  const prepare = async (): Promise<number> => {
    const startedAt = performance.now();
    const prepared = await runAttribution(['migrate', '--prepare'], { environment: ours });
    expect(prepared, prepared.stderr).toMatchObject({ code: 0 });
    return performance.now() - startedAt;
  };
  await serve(program);
  await fill(serving[0]?.url ?? '', key);
  const load = startSteadyLoad(key, () => serving.map(({ url }) => url), { clients: 8, refunds: true });
  await load.more(200);
  return { database, ours, theirs, load, serve, stop, prepare };
}

/** Checks that the suite's older installation (`test/older`) has the schema that the older version creates. */
async function expectSchemaOfTests({ ownerConnection }: EmptyDatabase): Promise<void> {
  const client = await connect(ownerConnection);
  const applied = await client.query('select name, sha256 from schema_migration order by name');
  const ofTests = readMigrations().filter(({ name }) => name.slice(0, 4) <= lastMigration);
  expect(applied.rows).toEqual(ofTests.map(({ name, sha256 }) => ({ name, sha256 })));
}

async function fill(url: string, key: string): Promise<void> {
  for (let from = 0; from < rows; from += perRequest) {
    const batch = Array.from({ length: Math.min(perRequest, rows - from) }, (_, at) =>
      purchase({ transactionId: `old-${from + at}`, code: at % 2 === 0 ? 'ALICE' : 'BOB' }),
    );
    const { status } = await fetch(url + path, {
      method: 'POST',
      headers: { 'x-shared-secret': key, 'content-type': 'application/json' },
      body: JSON.stringify(batch),
    });
    expect(status).toBe(200);
  }
}

/** Starts `migrate`, and kills it (-9) while it waits for a locked table. */
async function killMigrate(
  { ownerConnection }: EmptyDatabase,
  environment: Record<string, string>,
  table: string,
): Promise<void> {
  const holder = new pg.Client(ownerConnection);
  await holder.connect();
  await holder.query(`begin; lock table ${table} in access share mode`);
  const migrating = spawnAttribution(['migrate'], { environment });
  await until(`migrate to wait for ${table}`, async () => {
    const { rowCount } = await holder.query(
      `select from pg_locks where relation = '${table}'::regclass and not granted`,
    );
    return rowCount === 1;
  });
  migrating.kill('SIGKILL');
  expect(await migrating.ended).toMatchObject({ signal: 'SIGKILL' });
  await holder.end();
}

/** Checks that every acknowledged purchase and refund is stored once, posted and counted. */
async function expectAllKept({ database, load }: Rollout): Promise<void> {
  const client = await connect(database.ownerConnection);
  await until('everything to be posted', async () => {
    const { rowCount } = await client.query('select from unposted limit 1');
    return rowCount === 0;
  });
  const kept = await client.query<{ id: string; status: string }>(
    `select transaction_id as id, status from attribution where transaction_id not like 'old-%'`,
  );
  const idsOf = (found: typeof kept.rows): string[] => found.map(({ id }) => id).toSorted();
  expect(idsOf(kept.rows)).toEqual(load.saved.toSorted());
  expect(idsOf(kept.rows.filter(({ status }) => status === 'Refund'))).toEqual(load.refunded.toSorted());
  const counted = await client.query(
    `select count(*)::int as rows, (select sum(all_count)::int from transaction_count) as counted from attribution`,
  );
  const all = rows + kept.rows.length;
  expect(counted.rows).toEqual([{ rows: all, counted: all }]);
}
