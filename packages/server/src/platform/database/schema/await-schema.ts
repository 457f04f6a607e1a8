import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { OperatorError } from '../../operator-error.ts';
import { connectionWords } from '../connections/connection-words.ts';
import { requireSchema } from './require-schema.ts';

export interface AwaitOptions {
  patienceMs: number;
  /** Told what is waited for, once for each. */
  onWait: (message: string) => void;
}

const askEveryMs = 1_000;
/** A server that takes connections and says nothing is asked again. */
const connectTimeoutMs = 5_000;

/**
 * Waits until somebody else has brought a database to where this program can run on it, and has given the service's role
 * its rights: for processes that are started beside the migration and must not begin before it is done.
 * @param connection the service's
 * @throws OperatorError with what was still in the way when the patience was over
 */
export async function awaitSchema(
  connection: pg.ClientConfig,
  { patienceMs, onWait }: AwaitOptions,
): Promise<void> {
  const deadline = performance.now() + patienceMs;
  let told = '';
  for (;;) {
    const reason = await whatIsInTheWay(connection);
    if (reason === null) return;
    if (performance.now() >= deadline)
      throw new OperatorError(`${reason}\nNobody did within ${Math.round(patienceMs / 1_000)} s.`);
    if (reason !== told) onWait(`Waiting: ${reason}`);
    told = reason;
    await sleep(Math.min(askEveryMs, Math.max(deadline - performance.now(), 0)));
  }
}

/** @returns null when nothing is */
async function whatIsInTheWay(connection: pg.ClientConfig): Promise<string | null> {
  try {
    await requireSchema({ ...connection, connectionTimeoutMillis: connectTimeoutMs });
    return null;
  } catch (error) {
    const words = error instanceof OperatorError ? error.message : connectionWords(error);
    if (words === null) throw error;
    return words;
  }
}
