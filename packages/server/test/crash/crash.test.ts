import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/platform/database/database.ts';
import { type DatabaseRoles, prepareDatabase } from '../../src/platform/database/schema/prepare-database.ts';
import { applyProgram } from '../apply-program.ts';
import { killLeftovers } from '../attribution-process.ts';
import { databaseUrl } from '../database-url.ts';
import { addEndpoint } from '../endpoints.ts';
import { auroraProgram } from '../fixtures.ts';
import { causeChaos } from './chaos.ts';
import { keepApi, keepCluster } from './installation.ts';
import { newJournal, randomFrom } from './journal.ts';
import { startClients } from './load.ts';
import { closeBooks, startPayouts } from './payouts.ts';
import { contradictions, differences } from './verify.ts';
import { startReceiver, undelivered } from './webhooks.ts';

const durationMs = Number(process.env.CRASH_SECONDS ?? 20) * 1_000;
const seed = Number(process.env.CRASH_SEED ?? Math.floor(Math.random() * 1e9));
const clients = 16;
/**
 * Maximum number of requests. All requests must fit in memory, and are read back. In long runs, clients pause
 * to stay below this number.
 */
const maxRequests = 100_000;
const pauseMs = durationMs <= 300_000 ? 0 : Math.round((clients * durationMs) / maxRequests);
const minKills = 2;
/**
 * Minimum rate at which purchases are saved. Two idle cores save over a hundred times as many, but a slow
 * machine that runs other tests too saves few. The minimum is lower if the clients pause.
 */
const minSavedPerSecond = pauseMs > 0 ? 1 : 2;
const postMs = 20_000;
/** Time for deliveries to finish. An event whose first attempt was interrupted is retried after 5 s, then after 30 s. */
const deliverMs = 60_000;

test(
  'regardless of what is killed, acknowledged purchases are stored and posted exactly once, all balances verify, and all events arrive',
  async () => {
    console.info(`crash test: CRASH_SECONDS=${durationMs / 1_000} CRASH_SEED=${seed}`);
    const random = randomFrom(seed);
    const folder = mkdtempSync(join(tmpdir(), 'attribution-crash-'));
    chmodSync(folder, 0o711); // if started by root, PostgreSQL runs as another user, who needs access
    const cluster = await keepCluster(join(folder, 'postgres'));
    onTestFinished(async () => {
      killLeftovers();
      await cluster.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    const receiver = await startReceiver();
    onTestFinished(() => receiver.stop());
    const key = await provision(cluster, receiver.url);
    const environment = {
      DATABASE_URL: databaseUrl(cluster.connection),
      LOG_LEVEL: 'fatal',
      WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true',
    };
    const apis = await Promise.all([keepApi(environment), keepApi(environment)]);
    const target = { urls: () => apis.map(({ url }) => url()), key };
    const journal = newJournal();

    const load = startClients(journal, target, random, { clients, pauseMs });
    const payouts = startPayouts(cluster.connection, 'aurora');
    const startedAt = performance.now();
    const kills = await causeChaos(cluster, apis, random, durationMs, minKills);
    load.stopSending();
    await Promise.race([load.done, sleep(postMs)]);
    load.giveUp();
    await load.done;
    await payouts.stop();
    const seconds = (performance.now() - startedAt) / 1_000;

    await Promise.all(apis.map((api) => api.ready()));
    const client = new pg.Client(cluster.connection);
    await client.connect();
    const contradicting = await contradictions(client, journal);
    await client.end();
    const books = await closeBooks(cluster.connection, postMs);
    const missing = await undelivered(cluster.connection, receiver, deliverMs);
    const saved = journal.attempts.filter(({ outcome }) => outcome === 'saved');
    const differing = await differences(journal, target);
    const sum = Object.entries(kills).reduce(
      (all, [what, times]) => all + (what.startsWith('while') ? 0 : times),
      0,
    );
    console.info(`killed ${sum} times: ${JSON.stringify(kills)}, payouts ${JSON.stringify(payouts.counts)}`);
    console.info(
      `${saved.length} of ${journal.attempts.length} requests saved in ${seconds.toFixed(0)} s: ${JSON.stringify(journal.counts)}`,
    );

    expect(contradicting.slice(0, 20)).toEqual([]);
    expect(books).toMatchObject({ verdict: { isSound: true }, wronglyPosted: 0, wronglyLogged: 0 });
    expect(payouts.unexplained).toEqual([]);
    const { left: _, ...done } = payouts.counts; // a payout with few rows is rarely interrupted
    for (const times of Object.values(done)) expect(times).toBeGreaterThan(0);
    expect(missing.slice(0, 20)).toEqual([]);
    expect(differing.slice(0, 20)).toEqual([]);
    expect(journal.violations.slice(0, 20)).toEqual([]);
    expect(
      journal.attempts.filter(({ outcome }) => outcome === 'open'),
      'every outcome is known',
    ).toEqual([]);
    // The test is meaningful only if all of this happened.
    for (const [what, times] of Object.entries(kills))
      expect(times, what).toBeGreaterThanOrEqual(what.startsWith('while') ? 1 : minKills);
    expect(sum).toBeGreaterThanOrEqual(durationMs / 36_000);
    expect(saved.length).toBeGreaterThan(minSavedPerSecond * seconds);
    for (const what of ['503', 'timeout', 'connection lost', 'refused with 409', 'saved by a retry'])
      expect(journal.counts[what] ?? 0, what).toBeGreaterThan(0);
    for (const api of apis) expect(await api.stop()).toMatchObject({ code: 0 });
  },
  durationMs * 2 + 400_000,
);

async function provision(cluster: DatabaseRoles, receiverUrl: string): Promise<string> {
  await prepareDatabase(cluster);
  const { connection } = cluster;
  const database = openDatabase({ connection, poolSize: 1, recordLanes: 1, applicationName: 'crash-test' });
  const { keys } = await applyProgram(database.db, auroraProgram, 'fixture.yaml');
  await addEndpoint(database.db, 'aurora', receiverUrl, ['Attribution/TransactionRecorded']);
  await database.close();
  return keys.find(({ name }) => name === 'backend')?.key ?? '';
}
