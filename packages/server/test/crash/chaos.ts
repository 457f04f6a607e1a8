import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../attribution-process.ts';
import { killAll, killProcess, postgresProcesses } from '../data-folder.ts';
import { asSuperuser, type KeptApi, type KeptCluster } from './installation.ts';
import { pick } from './journal.ts';

const kinds = [
  'API process',
  'pg_terminate_backend',
  'one backend',
  'postmaster alone',
  'whole database',
] as const;
type Kind = (typeof kinds)[number];
export type Kills = Record<Kind, number>;

const workingBackend = `
  select pid
  from pg_stat_activity
  where application_name = 'attribution'
  order by state = 'active' desc, query like '%into attribution%' desc, random()
  limit 1`;

/**
 * Kills again and again, each kind as often as the others, and gives the load time between.
 * @returns how often it killed what, after `durationMs` and at least `leastRounds` of every kind
 */
export async function causeChaos(
  cluster: KeptCluster,
  apis: readonly KeptApi[],
  random: () => number,
  durationMs: number,
  leastRounds: number,
): Promise<Kills> {
  const kills = Object.fromEntries(kinds.map((kind) => [kind, 0])) as Kills;
  const deadline = performance.now() + durationMs;
  const strike: Record<Kind, () => Promise<boolean>> = {
    'API process': async () => {
      pick(random, apis).kill();
      return true;
    },
    pg_terminate_backend: async () => {
      const statement = `select pg_terminate_backend(pid) as done from (${workingBackend}) as backend`;
      const rows = await asSuperuser<{ done: boolean }>(cluster.connection, statement);
      return rows?.[0]?.done === true;
    },
    'one backend': async () => {
      const rows = await asSuperuser<{ pid: number }>(cluster.connection, workingBackend);
      const backend = postgresProcesses(cluster.directory).find(({ pid }) => pid === rows?.[0]?.pid);
      if (backend !== undefined) killProcess(backend.pid);
      return backend !== undefined;
    },
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
  for (let round = 0; round < leastRounds || performance.now() < deadline; round += 1) {
    const order = kinds.map((kind) => ({ kind, at: random() })).toSorted((one, other) => one.at - other.at);
    for (const { kind } of order) {
      if (round >= leastRounds && performance.now() > deadline) break;
      await sleep(200 + random() * 600);
      await until(`a victim for: ${kind}`, strike[kind]);
      kills[kind] += 1;
      await sleep(20);
      await cluster.ready();
    }
  }
  return kills;
}
