import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Config } from '../../platform/config.ts';
import { examineReplica, readReplicaConnection } from '../../platform/database/replica/replica-identity.ts';
import type { Finding } from './finding.ts';

const check = 'replica';

/** Checks the read replica for `doctor`. @returns an empty list when there is no replica */
export async function checkReplica(config: Config, primary: pg.ClientConfig): Promise<Finding[]> {
  if (config.databaseReadUrl === null) return [];
  try {
    const connection = await readReplicaConnection(config.databaseReadUrl);
    const warning = await examineReplica(primary, connection);
    if (warning !== null) return [{ check, state: 'warning', message: warning }];
    return [await measureLag(primary, connection, config.databaseReadMaxAgeMs)];
  } catch (error) {
    return [{ check, state: 'problem', message: error instanceof Error ? error.message : String(error) }];
  }
}

/** Waits for the replica to replay everything that the primary has written, up to the maximum allowed lag. */
async function measureLag(
  primary: pg.ClientConfig,
  replica: pg.ClientConfig,
  maxAgeMs: number,
): Promise<Finding> {
  const written = await one<{ at: string }>(primary, 'select pg_current_wal_lsn()::text as at', []);
  const startedAt = performance.now();
  for (;;) {
    const { bytes } = await one<{ bytes: string }>(
      replica,
      'select greatest(pg_wal_lsn_diff($1::pg_lsn, pg_last_wal_replay_lsn()), 0)::text as bytes',
      [written.at],
    );
    const tookMs = performance.now() - startedAt;
    if (bytes === '0')
      return {
        check,
        state: 'ok',
        message: `Reports are read from the replica, which caught up with the primary in ${Math.ceil(tookMs)} ms.`,
      };
    if (tookMs > Math.min(maxAgeMs, 10_000))
      return {
        check,
        state: 'warning',
        message: `The replica is ${bytes} bytes of WAL behind, and did not catch up in ${Math.round(tookMs / 1_000)} s. Reports are read from the primary while the lag exceeds DATABASE_READ_MAX_AGE_SECONDS.`,
      };
    await sleep(100);
  }
}

async function one<Row extends pg.QueryResultRow>(
  connection: pg.ClientConfig,
  query: string,
  values: readonly unknown[],
): Promise<Row> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 5_000, query_timeout: 5_000 });
  client.on('error', () => undefined); // the running statement fails with the same error
  await client.connect();
  try {
    const { rows } = await client.query<Row>(query, [...values]);
    const [row] = rows;
    if (row === undefined) throw new Error('the database returned no row');
    return row;
  } finally {
    await client.end();
  }
}
