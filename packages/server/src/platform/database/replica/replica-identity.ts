import pg from 'pg';
import { OperatorError } from '../../operator-error.ts';
import { explainConnectionError } from '../connections/explain-connection-error.ts';
import { readConnection } from '../connections/read-connection.ts';

/** Identity of a database, used to check whether it is a replica of another. */
export interface Identity {
  /** System identifier, which a cluster shares with its physical copies. */
  cluster: string;
  /** Oid of the database within the cluster. */
  database: string;
  isReplica: boolean;
}

export const identitySql = `
  select (select system_identifier::text from pg_control_system()) as cluster,
         (select oid::text from pg_database where datname = current_database()) as database,
         pg_is_in_recovery() as "isReplica"`;

export const isCopyOf = (one: Identity, other: Identity): boolean =>
  one.cluster === other.cluster && one.database === other.database;

export const otherDatabaseMessage =
  'DATABASE_READ_URL names a different database than DATABASE_URL, not a streaming replica of it. Reports would show the wrong purchases.';

export const notReplicaMessage =
  'DATABASE_READ_URL names a database that accepts writes: the primary itself, or a promoted replica. Reports are read from DATABASE_URL until it names a replica.';

export async function readReplicaConnection(url: string): Promise<pg.ClientConfig> {
  try {
    return await readConnection(url);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new OperatorError(ofReplica(error.message), { cause: error });
  }
}

/** Rewrites a message about DATABASE_URL so that it refers to the replica's setting. */
export const ofReplica = (words: string): string => words.replaceAll('DATABASE_URL', 'DATABASE_READ_URL');

/**
 * Checks that the replica is a copy of this database.
 * @returns a warning if the service can run but must read from the primary; null if the replica can be used
 * @throws OperatorError if the replica is a copy of another database
 */
export async function examineReplica(
  primary: pg.ClientConfig,
  replica: pg.ClientConfig,
): Promise<string | null> {
  let found: Identity;
  try {
    found = await identify({ ...replica, connectionTimeoutMillis: 5_000, query_timeout: 5_000 });
  } catch (error) {
    const words = ofReplica(explainConnectionError(error) ?? String(error));
    return `The replica is unavailable, so reports are read from the primary. ${words}`;
  }
  if (!isCopyOf(found, await identify(primary))) throw new OperatorError(otherDatabaseMessage);
  return found.isReplica ? null : notReplicaMessage;
}

async function identify(connection: pg.ClientConfig): Promise<Identity> {
  const client = new pg.Client(connection);
  client.on('error', () => undefined); // the running statement fails with the same error
  await client.connect();
  try {
    const { rows } = await client.query<Identity>(identitySql);
    const [found] = rows;
    if (found === undefined) throw new Error('the database returned no identity');
    return found;
  } finally {
    await client.end();
  }
}
