import { setTimeout as sleep } from 'node:timers/promises';
import type { Attempt } from '../crash/journal.ts';
import type { Target } from '../crash/load.ts';

const path = '/v1/attributions/transactions';
const clients = 8;

/**
 * Resends lost purchases with their transactionIds.
 * @returns the purchases that were accepted; the transactionIds of all other purchases are in use
 */
export async function sendAgain(lost: readonly Attempt[], { urls, key }: Target): Promise<Attempt[]> {
  const left = [...lost];
  const taken: Attempt[] = [];
  const client = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const { status, text } = await send(next);
      if (status === 200) taken.push(next);
      else if (status !== 409) throw new Error(`${next.tag} got the status ${status}: ${text}`);
    }
  };
  const send = async ({ rows }: Attempt): Promise<{ status: number; text: string }> => {
    for (;;) {
      const response = await fetch(urls()[0] + path, {
        method: 'POST',
        headers: { 'x-shared-secret': key, 'content-type': 'application/json' },
        body: JSON.stringify(rows.length === 1 ? rows[0] : rows),
        signal: AbortSignal.timeout(10_000),
      });
      const text = await response.text();
      if (response.status !== 503) return { status: response.status, text };
      await sleep(100);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return taken;
}
