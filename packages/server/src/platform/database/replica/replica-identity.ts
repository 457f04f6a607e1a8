import pg from 'pg';
import { OperatorError } from '../../operator-error.ts';
import { connectionWords } from '../connections/connection-words.ts';
import { readConnection } from '../connections/read-connection.ts';

/** Values that tell a replica from any other database. */
export interface Identity {
  /** System identifier, equal in a cluster and all file copies of it. */
  cluster: string;
  /** The database's number in it. */
  database: string;
  isReplica: boolean;
}

export const identitySql = `
  select (select system_identifier::text from pg_control_system()) as cluster,
         (select oid::text from pg_database where datname = current_database()) as database,
         pg_is_in_recovery() as "isReplica"`;

export const isCopyOf = (one: Identity, other: Identity): boolean =>
  one.cluster === other.cluster && one.database === other.database;

export const otherDatabaseWords =
  'DATABASE_READ_URL names another database than DATABASE_URL, and not a streaming replica of it: reports would be of somebody else’s purchases.';

export const notReplicaWords =
  'DATABASE_READ_URL names a database that takes changes: the primary itself, or a replica that was promoted. Reports are read from DATABASE_URL until it names a replica.';

/** DATABASE_READ_URL as pg takes it. */
export async function readReplicaConnection(url: string): Promise<pg.ClientConfig> {
  try {
    return await readConnection(url);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new OperatorError(ofReplica(error.message), { cause: error });
  }
}

/** Words about DATABASE_URL, about the replica. */
export const ofReplica = (words: string): string => words.replaceAll('DATABASE_URL', 'DATABASE_READ_URL');

/**
 * Looks whether the replica is one, of this database.
 * @returns what somebody should know; it does not keep the service from running, which reads from the primary then
 * @throws OperatorError when it is of another database
 */
export async function examineReplica(
  primary: pg.ClientConfig,
  replica: pg.ClientConfig,
): Promise<string | null> {
  let found: Identity;
  try {
    found = await identify({ ...replica, connectionTimeoutMillis: 5_000, query_timeout: 5_000 });
  } catch (error) {
    const words = ofReplica(connectionWords(error) ?? String(error));
    return `The replica cannot be read now, and reports are read from the primary. ${words}`;
  }
  if (!isCopyOf(found, await identify(primary))) throw new OperatorError(otherDatabaseWords);
  return found.isReplica ? null : notReplicaWords;
}

async function identify(connection: pg.ClientConfig): Promise<Identity> {
  const client = new pg.Client(connection);
  client.on('error', () => undefined); // the statement under way fails too, and says so
  await client.connect();
  try {
    const { rows } = await client.query<Identity>(identitySql);
    const [found] = rows;
    if (found === undefined) throw new Error('the database did not say which it is');
    return found;
  } finally {
    await client.end();
  }
}
