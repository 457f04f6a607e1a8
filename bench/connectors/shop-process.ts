import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { generic } from '../../packages/server/src/connectors/providers/generic.ts';

/** Events that a shop sends to its connector. */
export interface ShopTask {
  /** Address of the connector. */
  address: string;
  secret: string;
  seconds: number;
  /** First order of the events. */
  from: number;
  /** Number of orders that are sent again and again; null for a new order in each event. */
  repeated: number | null;
  connections: number;
}

export interface ShopOutcome {
  accepted: number;
  failures: number;
  /** Time from the first request to the last response. */
  elapsedMs: number;
}

/** Number of members to whom orders are credited. */
const codes = 1_000;

/** Returns a paid order in the format for one's own shop. */
const bodyOf = (order: number, now: Date): Buffer =>
  Buffer.from(
    JSON.stringify({
      id: `paid-${order}`,
      type: 'order.paid',
      time: now.toISOString(),
      order: {
        id: `order-${order}`,
        creatorCode: `CODE${order % codes}`,
        playerId: `player-${order % 50_000}`,
        subtotal: 999,
        total: 1_189,
        currency: 'USD',
        items: [{ sku: 'battle-pass', name: 'Battle pass', price: 999 }],
      },
    }),
  );

async function send(task: ShopTask): Promise<ShopOutcome> {
  const { address, secret, seconds, from, repeated, connections } = task;
  const agent = new Agent({ connections, pipelining: 1 });
  const startedMs = performance.now();
  const endMs = startedMs + seconds * 1_000;
  let next = 0;
  const outcome = { accepted: 0, failures: 0 };
  // A retry has the bytes of the first attempt, so its time stays the same.
  const storedAt = new Date(0);
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < endMs) {
        const turn = next++;
        const now = new Date();
        const body = bodyOf(
          from + (repeated === null ? turn : turn % repeated),
          repeated === null ? now : storedAt,
        );
        const headers = { 'content-type': 'application/json', ...generic.sign(body, secret, now, {}) };
        // As a provider does, sends an event again until it is accepted.
        for (let isAccepted = false; !isAccepted; ) {
          const answer = await request(address, { method: 'POST', headers, body, dispatcher: agent });
          await answer.body.dump();
          isAccepted = answer.statusCode === 200;
          if (isAccepted) outcome.accepted += 1;
          else {
            outcome.failures += 1;
            await sleep(100);
          }
        }
      }
    }),
  );
  await agent.close();
  return { ...outcome, elapsedMs: performance.now() - startedMs };
}

process.on('message', (task: ShopTask) => {
  void send(task).then((outcome) => process.send?.(outcome, () => process.exit()));
});
