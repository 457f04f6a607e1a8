import type pg from 'pg';
import type { Config } from '../../platform/config.ts';
import type { ReplicaOptions } from '../../platform/database/replica/open-replica.ts';
import { examineReplica, readReplicaConnection } from '../../platform/database/replica/replica-identity.ts';
import { OperatorError } from '../../platform/operator-error.ts';

/**
 * Returns the options for reading from the replica at DATABASE_READ_URL, or undefined if that setting is
 * absent. A replica that is currently unavailable is used once it becomes available.
 * @throws OperatorError when the server is not a replica of this database
 */
export async function reachReplica(
  config: Config,
  primary: pg.ClientConfig,
  warn: (message: string) => void,
): Promise<ReplicaOptions | undefined> {
  if (config.databaseReadUrl === null) return undefined;
  if (config.databaseUrl === null)
    throw new OperatorError('DATABASE_READ_URL requires DATABASE_URL: an embedded database has no replica.');
  const connection = await readReplicaConnection(config.databaseReadUrl);
  const warning = await examineReplica(primary, connection);
  if (warning !== null) warn(warning);
  return {
    connection,
    maxAgeMs: config.databaseReadMaxAgeMs,
    servesLists: config.databaseReadLists,
    onChange: warn,
  };
}
