import type { Config } from '../../platform/config.ts';
import { type Database, openDatabase } from '../../platform/database/database.ts';
import { keepDays } from '../../platform/database/days/keep-days.ts';
import type { Log } from '../../platform/telemetry/log.ts';
import type { Installation } from '../installation/open-installation.ts';
import { reachReplica } from '../installation/reach-replica.ts';
import { closeInTime } from './drain.ts';

/** Runs a function with a process's connections to the database, and closes them afterwards. */
export async function withDatabase<Result>(
  { connection }: Pick<Installation, 'connection'>,
  { config, log }: { config: Config; log: Log },
  run: (database: Database) => Promise<Result>,
): Promise<Result> {
  const warn = (message: string) => log.warn(message);
  const database = openDatabase({
    connection,
    poolSize: config.databasePoolSize,
    recordLanes: config.recordLanes,
    applicationName: 'attribution',
    replica: await reachReplica(config, connection, warn),
    onIdleError: (error) => log.warn(`a database connection was lost: ${error.message}`),
  });
  const days = await keepDays(database.background, warn);
  try {
    return await run(database);
  } finally {
    await days.stop();
    await closeInTime(database.close(), config.shutdownTimeoutMs);
  }
}
