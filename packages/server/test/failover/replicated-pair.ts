import { join } from 'node:path';
import { until } from '../attribution-process.ts';
import { type SystemPostgres, startSystemPostgres } from '../system-postgres.ts';

export interface ReplicatedPair {
  readonly primary: SystemPostgres;
  readonly replica: SystemPostgres;
  /** Makes the primary acknowledge commits only once the replica has them. */
  waitForReplica(): Promise<void>;
  /** Silently stops sending to the replica, as if the network had stalled. */
  cutOff(): Promise<void>;
  joinAgain(): void;
  stop(): Promise<void>;
}

export async function startPair(bin: string): Promise<ReplicatedPair> {
  const primary = await startSystemPostgres(bin);
  const members = [primary];
  let stopped: number[] = [];
  const stop = async (): Promise<void> => {
    // A stopped walsender would prevent its server from shutting down.
    for (const member of members) await member.kill().then(() => member.stop());
  };
  const senders = (): Promise<{ pid: number; state: string; sync: string }[]> =>
    primary.admin('postgres', 'select pid, state, sync_state as sync from pg_stat_replication');
  try {
    await primary.makeDatabase('attribution');
    const replica = await primary.replicate();
    members.push(replica);
    await until('the replica to stream', async () =>
      (await senders()).some(({ state }) => state === 'streaming'),
    );
    return {
      primary,
      replica,
      async waitForReplica() {
        await primary.admin(
          'postgres',
          `alter system set synchronous_standby_names = '*'`,
          'select pg_reload_conf()',
        );
        await until('the replica to be waited for', async () =>
          (await senders()).some(({ sync }) => sync === 'sync'),
        );
      },
      async cutOff() {
        stopped = (await senders()).map(({ pid }) => pid);
        for (const pid of stopped) process.kill(pid, 'SIGSTOP');
      },
      joinAgain() {
        for (const pid of stopped) process.kill(pid, 'SIGCONT');
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

export const socketOf = ({ folder }: SystemPostgres): string => join(folder, '.s.PGSQL.5432');
