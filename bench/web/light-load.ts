import { randomBytes, randomInt } from 'node:crypto';
import type { BenchService } from '../lib/bench-service.ts';

const everyMs = 20;

/** Purchases that a light load sends. */
export interface LightPurchases {
  groupId: string;
  next(): { code: string; description: string };
}

const ofAnyone: LightPurchases = {
  groupId: 'main',
  next: () => ({ code: `CODE${randomInt(1_000)}`, description: 'Battle pass' }),
};

/** Sends fifty purchases per second until stopped. */
export function lightLoad(
  { url, key }: BenchService,
  purchases: LightPurchases = ofAnyone,
): {
  stop(): Promise<{ sent: number; refused: number }>;
} {
  let sent = 0;
  let refused = 0;
  const underWay = new Set<Promise<void>>();
  const timer = setInterval(() => {
    sent += 1;
    const one = record(
      `${url}/v1/attributions/transactions?groupId=${purchases.groupId}`,
      key,
      purchases.next(),
    )
      .then((isRecorded) => {
        if (!isRecorded) refused += 1;
      })
      .catch(() => {
        refused += 1;
      })
      .finally(() => underWay.delete(one));
    underWay.add(one);
  }, everyMs);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(underWay);
      return { sent, refused };
    },
  };
}

async function record(
  url: string,
  key: string,
  purchase: ReturnType<LightPurchases['next']>,
): Promise<boolean> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'x-shared-secret': key, 'content-type': 'application/json' },
    body: JSON.stringify({
      transactionId: randomBytes(10).toString('hex'),
      ...purchase,
      subtotal: randomInt(99, 9_999),
      currency: 'USD',
      transactionDate: new Date().toISOString(),
      platform: 'PC',
      playerId: `player-${randomInt(100_000)}`,
    }),
  });
  await response.arrayBuffer();
  return response.status === 200;
}
