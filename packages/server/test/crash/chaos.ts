import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { until } from '../attribution-process.ts';
import { killAll, killProcess, postgresProcesses } from '../data-folder.ts';
import { asSuperuser, type KeptApi, type KeptCluster, superuser } from './installation.ts';
import { pick } from './journal.ts';

const kinds = [
  'API process',
  'pg_terminate_backend',
  'one backend',
  'postmaster alone',
  'whole database',
] as const;
type Kind = (typeof kinds)[number];
export type Kills = Record<Kind | `while ${Work}`, number>;

/**
 * Kinds of work during which a backend is killed. pg_stat_activity shows what a backend is working on. Each
 * kind is chosen equally often.
 */
const works = {
  recording: "application_name = 'attribution' and query like '%program as materialized%'",
  posting:
    "application_name = 'attribution' and (query like '%from unposted%' or query like '%with a as materialized%')",
  paying: "application_name = 'crash-payouts'",
} as const;
type Work = keyof typeof works;

/**
 * Kills processes repeatedly, choosing each kind equally often. The load continues during the pauses between
 * kills.
 * @returns the number of kills by kind, after `durationMs` and at least `minRounds` of every kind
 */
export async function causeChaos(
  cluster: KeptCluster,
  apis: readonly KeptApi[],
  random: () => number,
  durationMs: number,
  minRounds: number,
): Promise<Kills> {
  const workNames = Object.keys(works) as Work[];
  const names = [...kinds, ...workNames.map((work) => `while ${work}`)];
  const kills = Object.fromEntries(names.map((name) => [name, 0])) as Kills;
  let backends = 0;
  /** Waits for the next kind of work, then terminates its backend. */
  const strikeBackend = async (end: (pid: number) => Promise<boolean>): Promise<boolean> => {
    const work = workNames[backends % workNames.length] ?? 'recording';
    const pid = await backendAt(cluster.connection, works[work]);
    if (pid === null || !(await end(pid))) return false;
    backends += 1;
    kills[`while ${work}`] += 1;
    return true;
  };
  const deadline = performance.now() + durationMs;
  const strike: Record<Kind, () => Promise<boolean>> = {
    'API process': async () => {
      pick(random, apis).kill();
      return true;
    },
    pg_terminate_backend: () =>
      strikeBackend(async (pid) => {
        const statement = `select pg_terminate_backend(${pid}) as done`;
        const rows = await asSuperuser<{ done: boolean }>(cluster.connection, statement);
        return rows?.[0]?.done === true;
      }),
    'one backend': () =>
      strikeBackend(async (pid) => {
        const backend = postgresProcesses(cluster.directory).find((each) => each.pid === pid);
        if (backend !== undefined) killProcess(backend.pid);
        return backend !== undefined;
      }),
    'postmaster alone': async () => {
      const postmaster = postgresProcesses(cluster.directory).find(({ isPostmaster }) => isPostmaster);
      if (postmaster !== undefined) killProcess(postmaster.pid);
      return postmaster !== undefined;
    },
    'whole database': async () => {
      const processes = postgresProcesses(cluster.directory);
      await killAll(processes);
      return processes.length > 0;
    },
  };
  for (let round = 0; round < minRounds || performance.now() < deadline; round += 1) {
    const order = kinds.map((kind) => ({ kind, at: random() })).toSorted((one, other) => one.at - other.at);
    for (const { kind } of order) {
      if (round >= minRounds && performance.now() > deadline) break;
      await sleep(200 + random() * 600);
      await until(
        `a process to kill: ${kind}, or while ${workNames[backends % workNames.length]}`,
        strike[kind],
      );
      kills[kind] += 1;
      await sleep(20);
      await cluster.ready();
    }
  }
  return kills;
}

/**
 * Longest time to search for a busy backend. Some kinds of work run for only a few milliseconds each second.
 */
const searchMs = 1_500;

/**
 * Waits for a backend that matches a condition.
 * @returns null if none appeared in time or the database did not respond
 */
async function backendAt(connection: pg.ClientConfig, condition: string): Promise<number | null> {
  const client = superuser(connection);
  const deadline = performance.now() + searchMs;
  try {
    await client.connect();
    while (performance.now() < deadline) {
      const { rows } = await client.query<{ pid: number }>(
        `select pid from pg_stat_activity where state <> 'idle' and ${condition} order by random() limit 1`,
      );
      if (rows[0] !== undefined) return rows[0].pid;
    }
    return null;
  } catch {
    return null;
  } finally {
    await client.end().catch(() => undefined);
  }
}
