import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchService } from '../lib/bench-service.ts';

interface NewPurchases {
  purchases: readonly unknown[];
  more: number;
  cursor: string;
}

export interface Overlays {
  /** Returns the numbers of responses, of purchases in them, and of failed requests so far. */
  counts(): { responses: number; purchases: number; failures: number };
  stop(): Promise<void>;
}

const retryMs = 2_000;

/** Opens an overlay for each secret, which waits with one request at a time. Resolves when all of them are waiting. */
export async function openOverlays({ url }: BenchService, secrets: readonly string[]): Promise<Overlays> {
  const ended = new AbortController();
  const counts = { responses: 0, purchases: 0, failures: 0 };
  const call = async (secret: string, after: string | null): Promise<NewPurchases> => {
    const query = after === null ? '' : `?after=${encodeURIComponent(after)}`;
    const response = await fetch(`${url}/portal/v1/stream-alert/purchases${query}`, {
      headers: { authorization: `Bearer ${secret}` },
      signal: ended.signal,
    });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${response.status} ${text.slice(0, 200)}`);
    return JSON.parse(text) as NewPurchases;
  };
  const run = async (secret: string, first: string): Promise<void> => {
    for (let after = first; !ended.signal.aborted; ) {
      try {
        const { purchases, more, cursor } = await call(secret, after);
        counts.responses += 1;
        counts.purchases += purchases.length + more;
        after = cursor;
      } catch {
        if (ended.signal.aborted) return;
        counts.failures += 1;
        await sleep(retryMs, undefined, { signal: ended.signal }).catch(() => undefined);
      }
    }
  };
  const running: Promise<void>[] = [];
  for (const secret of secrets) running.push(run(secret, (await call(secret, null)).cursor));
  return {
    counts: () => ({ ...counts }),
    async stop() {
      ended.abort();
      await Promise.all(running);
    },
  };
}
