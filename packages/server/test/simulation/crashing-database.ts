import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Db } from '../../src/platform/database/database.ts';
import type { Tables } from '../../src/platform/database/tables.generated.ts';

/** When a connection dies: before its nth statement (begin is the first), or as its commit is done. */
export type Crash = { beforeStatement: number } | 'after-commit';

export interface CrashingDatabase {
  /** Each connection taken from it dies as told, unless its work is done before. */
  db(crash: Crash): Db;
  close(): Promise<void>;
}

/** A database whose connections are ended in the middle of what they do, by the server, as in a crash. */
export function openCrashingDatabase(connection: pg.ClientConfig): CrashingDatabase {
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, BigInt);
  const pool = new pg.Pool({ ...connection, types, max: 4 });
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('error', () => undefined);
  return {
    db: (crash) =>
      new Kysely<Tables>({
        dialect: new PostgresDialect({
          pool: {
            options: {},
            connect: async () => crashing(await pool.connect(), crash),
            end: () => Promise.resolve(),
          },
        }),
      }),
    close: () => pool.end(),
  };
}

/** A connection that counts its statements, and ends itself when it is time. */
function crashing(client: pg.PoolClient, crash: Crash): pg.PoolClient {
  let statements = 0;
  const die = (): Promise<unknown> =>
    client.query('select pg_terminate_backend(pg_backend_pid())').catch(() => undefined);
  const query = async (text: string, values: unknown[]): Promise<unknown> => {
    statements += 1;
    if (crash !== 'after-commit' && statements === crash.beforeStatement) await die();
    const result = await client.query(text, values);
    if (crash === 'after-commit' && text === 'commit') {
      await die();
      throw new Error('the connection died when its commit was done');
    }
    return result;
  };
  return new Proxy(client, {
    get(target, name) {
      if (name === 'query') return query;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
