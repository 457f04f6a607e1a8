import type { NewPurchases } from '../client/portal/types.gen.ts';
import { sleep } from './sleep.ts';

const path = '/portal/v1/stream-alert/purchases';
/** Time after which a request is given up. The service responds within 20 seconds. */
const giveUpMs = 30_000;
/** Pauses after failures, which grow up to the last one. */
const pausesMs = [1_000, 2_000, 4_000, 8_000, 15_000];

/** Failed request. `ended`: the address was replaced. `full`: it is open too often. `lost`: no connection. */
export type Failure = 'ended' | 'full' | 'lost';

export interface Receiver {
  onPurchases(received: NewPurchases): void;
  onFailure(failure: Failure): void;
}

/** Waits for purchases until the address is replaced. */
export async function receive(secret: string, { onPurchases, onFailure }: Receiver): Promise<void> {
  let cursor: string | null = null;
  let failures = 0;
  for (;;) {
    const startedMs = performance.now();
    const received: NewPurchases | Failure = await request(secret, cursor);
    if (typeof received === 'string') {
      onFailure(received);
      if (received === 'ended') return;
      const pauseMs = pausesMs[Math.min(failures, pausesMs.length - 1)] ?? 0;
      failures += 1;
      // Spread, so that the overlays of a service that restarted don't all return at the same moment.
      await sleep((received === 'full' ? 10_000 : pauseMs) * (0.75 + Math.random() / 2));
      continue;
    }
    failures = 0;
    onPurchases(received);
    // A service that is stopping responds at once.
    const isEmpty = cursor !== null && received.purchases.length === 0;
    cursor = received.cursor;
    if (isEmpty && performance.now() - startedMs < 1_000) await sleep(1_000);
  }
}

async function request(secret: string, cursor: string | null): Promise<NewPurchases | Failure> {
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(), giveUpMs);
  try {
    const response = await fetch(cursor === null ? path : `${path}?after=${encodeURIComponent(cursor)}`, {
      headers: { authorization: `Bearer ${secret}` },
      credentials: 'omit',
      cache: 'no-store',
      signal: giveUp.signal,
    });
    if (response.ok) return (await response.json()) as NewPurchases;
    return response.status === 401 ? 'ended' : response.status === 429 ? 'full' : 'lost';
  } catch {
    return 'lost';
  } finally {
    clearTimeout(timer);
  }
}
