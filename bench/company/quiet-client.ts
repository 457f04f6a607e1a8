import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { Agent, request } from 'undici';
import { Tally, transactions } from './clients.ts';

export interface QuietFigures {
  p50Ms: number;
  p99Ms: number;
  /** Number of requests that didn't get a 200 response. */
  refused: number;
  answers: string;
  healthP99Ms: number;
  /** Disk wait: the p99 of a plain insert minus the p99 of an insert that does not wait for the disk. */
  diskP99Ms: number;
}

/** Connections to the service's database. Commits on one of the connections do not wait for the disk. */
export interface DiskProbe {
  waiting: pg.Client;
  notWaiting: pg.Client;
}

const everyMs = 50; // 20 per second
const probesEveryMs = 200;

/**
 * Sends the quiet publisher's requests: 20 per second, alternating between creates and lists. Each request is
 * measured from its scheduled time, and doesn't wait for earlier requests.
 * @param until resolves when the neighbor has ended
 */
export async function runQuietClient(
  { url, key }: { url: string; key: string },
  disk: DiskProbe,
  until: Promise<unknown>,
): Promise<QuietFigures> {
  const agent = new Agent({ connections: 100, headersTimeout: 60_000, bodyTimeout: 60_000 });
  const quietMs: number[] = [];
  const healthMs: number[] = [];
  const insertMs = { waiting: [] as number[], notWaiting: [] as number[] };
  const tally = new Tally();
  let isOn = true;
  const over = until.finally(() => {
    isOn = false;
  });
  await Promise.all([
    over,
    paced(
      everyMs,
      () => isOn,
      quietMs,
      async (n) => {
        const body = n % 2 === 0 ? JSON.stringify(quietPurchase()) : undefined;
        const path = body === undefined ? `${transactions}?pageSize=50` : transactions;
        tally.add(await sendOne(agent, url + path, key, body));
      },
    ),
    paced(
      probesEveryMs,
      () => isOn,
      healthMs,
      async () => {
        await sendOne(agent, `${url}/healthz`); // over a new connection, as a load balancer does
      },
    ),
    (async () => {
      while (isOn) {
        for (const how of ['waiting', 'notWaiting'] as const) {
          const startedAtMs = performance.now();
          await disk[how].query('insert into bench_disk values (1)');
          insertMs[how].push(performance.now() - startedAtMs);
        }
        await sleep(probesEveryMs);
      }
    })(),
  ]);
  await agent.destroy();
  return {
    p50Ms: percentile(quietMs, 0.5),
    p99Ms: percentile(quietMs, 0.99),
    refused: tally.refused(),
    answers: String(tally),
    healthP99Ms: percentile(healthMs, 0.99),
    diskP99Ms: Math.max(0, percentile(insertMs.waiting, 0.99) - percentile(insertMs.notWaiting, 0.99)),
  };
}

/** Starts work at a fixed rate without waiting for earlier work, and measures each run from its scheduled time. */
async function paced(
  intervalMs: number,
  isOn: () => boolean,
  tookMs: number[],
  work: (n: number) => Promise<void>,
): Promise<void> {
  const startedAtMs = performance.now();
  const underWay: Promise<void>[] = [];
  for (let n = 0; isOn(); n += 1) {
    const dueMs = startedAtMs + n * intervalMs;
    const earlyMs = dueMs - performance.now();
    if (earlyMs > 0) await sleep(earlyMs);
    underWay.push(work(n).finally(() => tookMs.push(performance.now() - dueMs)));
  }
  await Promise.all(underWay);
}

async function sendOne(agent: Agent, url: string, key?: string, body?: string): Promise<number | 'broken'> {
  try {
    const response = await request(url, {
      dispatcher: agent,
      method: body === undefined ? 'GET' : 'POST',
      reset: key === undefined,
      headers: {
        ...(key !== undefined && { 'x-shared-secret': key }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
    });
    await response.body.dump();
    return response.statusCode;
  } catch {
    return 'broken';
  }
}

let purchases = 0;

function quietPurchase(): object {
  purchases += 1;
  return {
    transactionId: `quiet-${purchases}`,
    code: 'QUIET',
    description: 'Battle pass',
    subtotal: 999,
    currency: 'USD',
    transactionDate: '2026-05-01T12:00:00Z',
    playerId: `player-${purchases}`,
  };
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
