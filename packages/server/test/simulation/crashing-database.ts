import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Db } from '../../src/platform/database/database.ts';
import type { Tables } from '../../src/platform/database/tables.generated.ts';

/** Time of a crash: before the nth statement (`begin` is the first), or just after the nth commit. */
export type Crash = { beforeStatement: number } | { afterCommit: number };

export interface CrashingDatabase {
  /** Returns a database for a process that crashes at the given time. After the crash, every call fails. */
  db(crash: Crash): Db;
  close(): Promise<void>;
}

/** Opens a database whose connections the server terminates at the given time, as in a crash. */
export function openCrashingDatabase(connection: pg.ClientConfig): CrashingDatabase {
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, BigInt);
  const pool = new pg.Pool({ ...connection, types, max: 4 });
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('error', () => undefined);
  return {
    db(crash) {
      const process: Process = { crash, statements: 0, commits: 0, isDead: false };
      return new Kysely<Tables>({
        dialect: new PostgresDialect({
          pool: {
            options: {},
            async connect() {
              if (process.isDead) throw died();
              return crashing(await pool.connect(), process);
            },
            end: () => Promise.resolve(),
          },
        }),
      });
    },
    close: () => pool.end(),
  };
}

interface Process {
  crash: Crash;
  statements: number;
  commits: number;
  isDead: boolean;
}

/** Error of every call after the crash. */
export const crashError = 'the process died';

const died = (): Error => new Error(crashError);

/** Wraps a connection to count its statements and terminate it at the time of the crash. */
function crashing(client: pg.PoolClient, process: Process): pg.PoolClient {
  const die = async (): Promise<never> => {
    process.isDead = true;
    await client.query('select pg_terminate_backend(pg_backend_pid())').catch(() => undefined);
    throw died();
  };
  const query = async (text: string, values: unknown[]): Promise<unknown> => {
    const { crash } = process;
    if (process.isDead) throw died();
    process.statements += 1;
    if ('beforeStatement' in crash && process.statements === crash.beforeStatement) await die();
    const result = await client.query(text, values);
    if (text === 'commit') {
      process.commits += 1;
      if ('afterCommit' in crash && process.commits === crash.afterCommit) await die();
    }
    return result;
  };
  return new Proxy(client, {
    get(target, name) {
      if (name === 'query') return query;
      // Otherwise, the pool may give a terminated connection to the next process, which then fails before its crash.
      if (name === 'release') return () => target.release(process.isDead);
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
