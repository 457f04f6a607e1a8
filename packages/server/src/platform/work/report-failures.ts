import { boundedCache } from '../bounded-cache.ts';
import { isUnavailable } from '../database/database-errors.ts';
import type { Log } from '../telemetry/log.ts';

const quietMs = 60_000;
/**
 * Maximum number of messages to remember. Messages may quote values, so there could otherwise be any number of them.
 */
const maxMessages = 200;

/**
 * Logs failures of background work. While the database is unavailable or a privilege is missing, every round of every
 * worker fails in the same way, so each message is logged only once a minute.
 * @returns a function that creates an `onError` callback for the named work
 */
export function reportFailures(log: Log): (work: string) => (error: unknown) => void {
  const logged = boundedCache<true>(maxMessages, quietMs);
  return (work) => (error) => {
    const message = `${work} failed and will be retried: ${error instanceof Error ? error.message : error}`;
    if (!isUnavailable(error)) return log.error(message);
    if (logged.has(message)) return;
    logged.set(message, true);
    log.warn(message);
  };
}
