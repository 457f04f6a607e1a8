import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { BenchService } from '../lib/bench-service.ts';

interface NewPurchases {
  purchases: readonly { product: string }[];
  more: number;
  cursor: string;
  settings: { showSeconds: number };
}

export interface OverlayCounts {
  purchases: number;
  failures: number;
  /** Time from sending each purchase (`soldNow`) until its overlay has it, if the overlay was showing nothing. */
  delaysMs: number[];
}

export interface Overlays {
  counts: OverlayCounts;
  stop(): Promise<void>;
}

const retryMs = 2_000;
const prefix = 'Sold at ';

/** Returns the text of a product that was sold now. */
export const soldNow = (): string => prefix + Date.now();

/** Opens an overlay for each secret, which waits with one request at a time. Resolves when all of them are waiting. */
export async function openOverlays({ url }: BenchService, secrets: readonly string[]): Promise<Overlays> {
  const ended = new AbortController();
  const counts: OverlayCounts = { purchases: 0, failures: 0, delaysMs: [] };
  // On the processors that are measured, `fetch` would take longer than the service.
  const dispatcher = new Agent({ connections: null });
  const call = async (secret: string, after: string | null): Promise<NewPurchases> => {
    const query = after === null ? '' : `?after=${encodeURIComponent(after)}`;
    const { statusCode, body } = await request(`${url}/portal/v1/stream-alert/purchases${query}`, {
      dispatcher,
      headers: { authorization: `Bearer ${secret}` },
      signal: ended.signal,
    });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`${statusCode} ${text.slice(0, 200)}`);
    return JSON.parse(text) as NewPurchases;
  };
  const run = async (secret: string, first: string): Promise<void> => {
    let busyUntilMs = 0;
    for (let after = first; !ended.signal.aborted; ) {
      try {
        const { purchases, more, cursor, settings } = await call(secret, after);
        const [purchase] = purchases;
        const sentAtMs = purchase?.product.startsWith(prefix)
          ? Number(purchase.product.slice(prefix.length))
          : null;
        if (sentAtMs !== null && sentAtMs > busyUntilMs) counts.delaysMs.push(Date.now() - sentAtMs);
        if (purchase !== undefined)
          busyUntilMs = Date.now() + purchases.length * settings.showSeconds * 1_000;
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
    counts,
    async stop() {
      ended.abort();
      await Promise.all(running);
      await dispatcher.destroy();
    },
  };
}
