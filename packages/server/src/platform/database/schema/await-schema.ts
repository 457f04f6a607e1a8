import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { OperatorError } from '../../operator-error.ts';
import { explainConnectionError } from '../connections/explain-connection-error.ts';
import { requireSchema } from './require-schema.ts';

export interface AwaitOptions {
  patienceMs: number;
  /** Called once for each reason for waiting. */
  onWait: (message: string) => void;
}

const pollEveryMs = 1_000;
/** Time allowed to connect to a server that accepts connections but doesn't respond. */
const connectTimeoutMs = 5_000;

/**
 * Waits until another process has migrated the database and granted the service's role its rights. Called by a process
 * that starts during a migration, because it must not start working before the migration is done.
 * @param connection the service's connection
 * @throws OperatorError naming the remaining problem if the wait takes too long
 */
export async function awaitSchema(
  connection: pg.ClientConfig,
  { patienceMs, onWait }: AwaitOptions,
): Promise<void> {
  const deadline = performance.now() + patienceMs;
  let reported = '';
  for (;;) {
    const reason = await findProblem(connection);
    if (reason === null) return;
    if (performance.now() >= deadline)
      throw new OperatorError(`${reason}\nGave up after ${Math.round(patienceMs / 1_000)} s.`);
    if (reason !== reported) onWait(`Waiting: ${reason}`);
    reported = reason;
    await sleep(Math.min(pollEveryMs, Math.max(deadline - performance.now(), 0)));
  }
}

/** Returns the reason the service can't run on the database yet, or null if it can. */
async function findProblem(connection: pg.ClientConfig): Promise<string | null> {
  try {
    await requireSchema({ ...connection, connectionTimeoutMillis: connectTimeoutMs });
    return null;
  } catch (error) {
    const words = error instanceof OperatorError ? error.message : explainConnectionError(error);
    if (words === null) throw error;
    return words;
  }
}
