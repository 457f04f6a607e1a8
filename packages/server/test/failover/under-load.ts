import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, onTestFinished } from 'vitest';
import { requestLimits } from '../../src/platform/database/connections/limits.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { startServer, until } from '../attribution-process.ts';
import { type Attempt, type Journal, newJournal, randomFrom } from '../crash/journal.ts';
import { startClients, type Target } from '../crash/load.ts';
import { closeBooks } from '../crash/payouts.ts';
import { contradictions } from '../crash/verify.ts';
import { auroraProgram } from '../fixtures.ts';
import { runInProcess } from '../run-in-process.ts';
import type { SystemPostgres } from '../system-postgres.ts';
import { startRelay } from './relay.ts';
import { socketOf, startPair } from './replicated-pair.ts';

const clients = 16;
/** Longest wait. Background work detects a hanging connection after 65 s. */
const patienceMs = 120_000;
const lostWords = ' was acknowledged and is lost';

interface LoadOptions {
  /** True if a commit is acknowledged only once the replica has it. */
  isSynchronous: boolean;
  seed: number;
  /** Milliseconds of load before the function returns. */
  ms: number;
}

/**
 * Starts clients, a single process, and a replicated pair behind one address. The process is never restarted.
 */
export async function startUnderLoad(bin: string, { isSynchronous, seed, ms }: LoadOptions) {
  const pair = await startPair(bin);
  onTestFinished(() => pair.stop());
  const relay = await startRelay(socketOf(pair.primary));
  onTestFinished(() => relay.close());
  const { environment, key } = await provision(relay.port);
  if (isSynchronous) await pair.waitForReplica();
  const server = await startServer(environment);
  const target: Target = { urls: () => [server.url], key };
  const journal = newJournal();
  const load = startClients(journal, target, randomFrom(seed), { clients });
  const recordsAgain = async (): Promise<number> => {
    const [from, startedAt] = [journal.attempts.length, performance.now()];
    await until('a new purchase to be recorded', () =>
      journal.attempts.slice(from).some(({ outcome }) => outcome === 'saved'),
    );
    return performance.now() - startedAt;
  };
  const endLoad = async (): Promise<void> => {
    load.stopSending();
    await Promise.race([load.done, sleep(patienceMs)]);
    load.giveUp();
    await load.done;
  };
  const endSoundly = async (postgres: SystemPostgres): Promise<void> => {
    const books = await closeBooks(asService(postgres), patienceMs);
    expect(books).toMatchObject({ verdict: { isSound: true }, wronglyPosted: 0 });
    const verified = await runInProcess(['ledger', 'verify', '--all'], { environment });
    expect(verified, verified.stdout).toMatchObject({ code: 0 });
    server.kill('SIGTERM');
    expect(await server.ended).toMatchObject({ code: 0 });
  };
  await sleep(ms);
  return { pair, relay, target, journal, recordsAgain, endLoad, endSoundly };
}

async function provision(port: number): Promise<{ environment: Record<string, string>; key: string }> {
  const url = (user: string): string => `postgres://${user}@127.0.0.1:${port}/attribution`;
  const environment = {
    DATABASE_URL: url('attribution'),
    DATABASE_OWNER_URL: url('attribution_owner'),
    LOG_LEVEL: 'fatal',
  };
  expect(await runInProcess(['migrate'], { environment })).toMatchObject({ code: 0 });
  const provisioned = await runInProcess(['provision', '-', '--json'], { environment, input: auroraProgram });
  return { environment, key: JSON.parse(provisioned.stdout).keys[0].key };
}

const asService = ({ folder }: SystemPostgres): pg.ClientConfig => ({
  host: folder,
  user: 'attribution',
  database: 'attribution',
});

export async function compare(
  postgres: SystemPostgres,
  journal: Journal,
): Promise<{ lost: Attempt[]; contradicting: string[] }> {
  const client = new pg.Client(asService(postgres));
  await client.connect();
  const found = await contradictions(client, journal);
  await client.end();
  const lost = new Set(found.filter((each) => each.endsWith(lostWords)));
  return {
    lost: journal.attempts.filter(({ tag }) => lost.has(tag + lostWords)),
    contradicting: found.filter((each) => !lost.has(each)),
  };
}

/**
 * Abandons several commits one after another. The server still completes each commit.
 * @returns the number of server connections that the commits used
 */
export async function giveUpCommits(postgres: SystemPostgres, poolSize: number): Promise<number> {
  const applicationName = 'giving-up';
  const database = openDatabase({
    connection: asService(postgres),
    poolSize,
    recordLanes: 1,
    applicationName,
    limits: { ...requestLimits, answerMs: 200 },
  });
  try {
    for (let n = 0; n < poolSize * 8; n += 1)
      await expect(
        sql`insert into publisher (publisher_id, name) values (${`given-up-${n}`}, 'x')`.execute(database.db),
      ).rejects.toThrow('did not answer');
    const [seen] = await postgres.admin<{ n: number }>(
      'postgres',
      `select count(*)::int as n from pg_stat_activity where application_name = '${applicationName}'`,
    );
    return seen?.n ?? -1;
  } finally {
    await database.close();
  }
}
