import { boundedCache } from '../bounded-cache.ts';
import { isUnavailable } from '../database/database-errors.ts';
import type { Log } from '../telemetry/log.ts';

const quietMs = 60_000;
/** Workers times reasons; a reason may quote a value, so that there is no end of them. */
const maxMessages = 200;

/**
 * Logs failures of background work. While the database is away, or a right is missing, each round of each worker fails in
 * the same way: such a message is logged once a minute.
 * @returns what makes, of the name of some work, its `onError`
 */
export function reportFailures(log: Log): (work: string) => (error: unknown) => void {
  const logged = boundedCache<true>(maxMessages, quietMs);
  return (work) => (error) => {
    const message = `${work} stopped short and goes on: ${error instanceof Error ? error.message : error}`;
    if (!isUnavailable(error)) return log.error(message);
    if (logged.has(message)) return;
    logged.set(message, true);
    log.warn(message);
  };
}
