import type pg from 'pg';
import type { Config } from '../../platform/config.ts';
import type { ReplicaOptions } from '../../platform/database/replica/open-replica.ts';
import { examineReplica, readReplicaConnection } from '../../platform/database/replica/replica-identity.ts';
import { OperatorError } from '../../platform/operator-error.ts';

/**
 * The replica that DATABASE_READ_URL names, as a process reads from it; undefined without one. One that is away now is used
 * when it comes.
 * @throws OperatorError when it is of another database
 */
export async function reachReplica(
  config: Config,
  primary: pg.ClientConfig,
  warn: (message: string) => void,
): Promise<ReplicaOptions | undefined> {
  if (config.databaseReadUrl === null) return undefined;
  if (config.databaseUrl === null)
    throw new OperatorError(
      'DATABASE_READ_URL is set and DATABASE_URL is not: an embedded database has no replica.',
    );
  const connection = await readReplicaConnection(config.databaseReadUrl);
  const flaw = await examineReplica(primary, connection);
  if (flaw !== null) warn(flaw);
  return {
    connection,
    maxAgeMs: config.databaseReadMaxAgeMs,
    servesLists: config.databaseReadLists,
    onChange: warn,
  };
}
