import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { serviceActor } from '../packages/server/src/audit/actor.ts';
import { createConnector } from '../packages/server/src/connectors/create-connector.ts';
import { createSealer } from '../packages/server/src/platform/secrets/sealer.ts';
import { applyProgramFile } from '../packages/server/src/program-file/apply-program.ts';
import { readProgramFile } from '../packages/server/src/program-file/read-program.ts';
import type { ShopOutcome, ShopTask } from './connectors/shop-process.ts';
import { type BenchService, memberCount, openBenchDatabase, startBenchService } from './lib/bench-service.ts';
import { report } from './lib/report.ts';

/**
 * Measures connectors: the rate at which a shop's events are accepted and recorded, and the latency of another publisher's creates
 * meanwhile, and while a provider sends the same events again and again. BENCH_SECONDS sets the duration of each phase, and BENCH_RATE
 * the number of creates per second.
 */
const seconds = Number(process.env.BENCH_SECONDS ?? 20);
const rate = Number(process.env.BENCH_RATE ?? 50);
const connections = Number(process.env.BENCH_CONNECTIONS ?? 16);
const secret = randomBytes(24).toString('hex');
const publisherId = 'shop';
/** Number of orders that the provider sends again and again. */
const repeated = 500;

async function main(): Promise<void> {
  process.env.LOG_LEVEL ??= 'fatal';
  const service = await startBenchService();
  try {
    const connectorId = await addConnector(service);
    const task = { address: `${service.url}/hooks/v1/${connectorId}`, secret, connections };
    await recordDuring(service, sleep(2_000)); // warms up
    const alone = await recordDuring(service, sleep(seconds * 1_000));
    const selling = startShop({ ...task, seconds, from: 0, repeated: null });
    const beside = await recordDuring(service, selling);
    const sold = await selling;
    const drainedMs = await drained(service);
    const rows = await countRows(service);
    const known = Math.min(repeated, sold.accepted);
    const storming = startShop({ ...task, seconds, from: 0, repeated: known });
    const storm = await recordDuring(service, storming);
    const repeats = await storming;
    await drained(service);
    const perSecond = ({ accepted, elapsedMs }: ShopOutcome): number => accepted / (elapsedMs / 1_000);
    const recordedPerSecond = rows / ((sold.elapsedMs + drainedMs) / 1_000);
    const addedRows = (await countRows(service)) - rows;
    report(
      'connectors',
      {
        'events accepted, each of a new order': `${Math.round(perSecond(sold))}/s, ${sold.failures} asked to come again`,
        'purchases recorded of them': `${Math.round(recordedPerSecond)}/s, the last one ${(drainedMs / 1_000).toFixed(1)} s after the last event`,
        'events accepted again in a storm of retries': `${Math.round(perSecond(repeats))}/s`,
        [`creates of another publisher, ${rate}/s, alone`]: latencyText(alone),
        'beside new events': latencyText(beside),
        'beside the storm': latencyText(storm),
        'memory of the service': `${service.peakMemoryMiB() ?? '?'} MiB`,
      },
      [
        { what: 'events accepted (1/s)', value: perSecond(sold), limit: 300, direction: 'at least' },
        {
          what: 'purchases recorded of events (1/s)',
          value: recordedPerSecond,
          limit: 100,
          direction: 'at least',
        },
        {
          what: 'creates beside new events, p99 (ms)',
          value: beside.p99Ms,
          limit: 250,
          direction: 'at most',
        },
        { what: 'creates beside the storm, p99 (ms)', value: storm.p99Ms, limit: 250, direction: 'at most' },
        {
          what: 'creates that failed',
          value: beside.failures + storm.failures,
          limit: 0,
          direction: 'at most',
        },
        { what: 'events that got no purchase', value: sold.accepted - rows, limit: 0, direction: 'at most' },
        { what: 'purchases of the storm', value: addedRows, limit: 0, direction: 'at most' },
      ],
    );
  } finally {
    await service.stop();
  }
}

/** Adds a publisher with members and a connector for its own shop. */
async function addConnector(service: BenchService): Promise<string> {
  const members = Array.from({ length: memberCount }, (_, index) => ({
    id: `acc_shop_${index}`,
    codes: [{ code: `CODE${index}`, group: 'shop' }],
  }));
  const program = { publisher: { id: publisherId }, groups: [{ id: 'shop', revShare: 10, members }] };
  const database = openBenchDatabase(service);
  await applyProgramFile(database.db, serviceActor, readProgramFile(JSON.stringify(program), 'shop.json'));
  const sealer = createSealer([Buffer.from(service.environment.SECRETS_KEY ?? '', 'base64')]);
  const { connectorId } = await createConnector({ db: database.db, sealer, now: new Date() }, serviceActor, {
    ...{ publisherId, name: 'shop', provider: 'generic', groupId: 'shop', settings: {}, secret },
  });
  await database.close();
  return connectorId;
}

/** Sends events from a process of its own, whose work doesn't delay the measured requests. */
async function startShop(task: ShopTask): Promise<ShopOutcome> {
  const child = fork(new URL('./connectors/shop-process.ts', import.meta.url));
  const ended = once(child, 'exit').then(() => {
    throw new Error('the shop ended before it finished');
  });
  child.send(task);
  const [outcome] = await Promise.race([once(child, 'message'), ended]);
  ended.catch(() => undefined);
  return outcome as ShopOutcome;
}

interface Latency {
  p50Ms: number;
  p99Ms: number;
  failures: number;
}

/** Records purchases of another publisher until something is over, each measured from the time at which it was due. */
async function recordDuring({ url, key }: BenchService, other: Promise<unknown>): Promise<Latency> {
  const agent = new Agent({ connections: 64 });
  const latencies: number[] = [];
  const sent: Promise<void>[] = [];
  let isOver = false;
  void other.finally(() => {
    isOver = true;
  });
  let failures = 0;
  const startedMs = performance.now();
  const create = async (dueMs: number): Promise<void> => {
    const { statusCode, body } = await request(`${url}/v1/attributions/transactions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-shared-secret': key },
      body: JSON.stringify({
        transactionId: randomBytes(12).toString('hex'),
        code: `CODE${latencies.length % memberCount}`,
        description: 'Battle pass',
        subtotal: 999,
        currency: 'USD',
        transactionDate: new Date().toISOString(),
      }),
      dispatcher: agent,
    });
    await body.dump();
    latencies.push(performance.now() - dueMs);
    if (statusCode !== 200) failures += 1;
  };
  for (let turn = 0; !isOver; turn += 1) {
    const dueMs = startedMs + (turn * 1_000) / rate;
    await sleep(Math.max(0, dueMs - performance.now()));
    sent.push(create(dueMs));
  }
  await Promise.all(sent);
  await agent.close();
  latencies.sort((one, other) => one - other);
  const at = (part: number): number => latencies[Math.floor(latencies.length * part)] ?? Number.NaN;
  return { p50Ms: at(0.5), p99Ms: at(0.99), failures };
}

const latencyText = ({ p50Ms, p99Ms }: Latency): string =>
  `p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`;

const maxDrainMs = 300_000;

/** Waits until no event waits. @returns the time that it took, in milliseconds */
async function drained({ client }: BenchService): Promise<number> {
  const startedMs = performance.now();
  for (;;) {
    const { rows } = await client.query<{ waits: boolean }>(
      `select exists (select 1 from connector_event where publisher_id = $1 and status = 'Waiting') as waits`,
      [publisherId],
    );
    const elapsedMs = performance.now() - startedMs;
    if (rows[0]?.waits !== true) return elapsedMs;
    if (elapsedMs > maxDrainMs) throw new Error('the events are not being worked on');
    await sleep(100);
  }
}

async function countRows({ client }: BenchService): Promise<number> {
  const { rows } = await client.query<{ count: string }>(
    'select count(*) as count from attribution where publisher_id = $1',
    [publisherId],
  );
  return Number(rows[0]?.count ?? 0);
}

await main();
