import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { Database } from '../packages/server/src/platform/database/database.ts';
import { newRowId } from '../packages/server/src/platform/ids.ts';
import { type EventPayload, toEventText } from '../packages/server/src/webhooks/event-text.ts';
import { publishing } from '../packages/server/src/webhooks/publish-events.ts';
import { type BenchService, openBenchDatabase, startBenchService } from './lib/bench-service.ts';
import { type Receivers, startReceivers } from './lib/receivers.ts';
import { report } from './lib/report.ts';

/**
 * Measures webhook delivery: the latency of healthy endpoints while others misbehave, the rate at which a
 * backlog drains compared with the rate of plain requests to the same receiver, and the latency of new events
 * while the backlog drains.
 */
const endpoints = Number(process.env.BENCH_ENDPOINTS ?? 1_000);
const eventsPerSecond = Number(process.env.BENCH_RATE ?? 500);
const seconds = Number(process.env.BENCH_SECONDS ?? 30);
const backlog = Number(process.env.BENCH_BACKLOG ?? 200_000);
const faults = ['hang', 'reset', 'redirect', 'drip', '429', '500'];
const kind = 'GroupManagement/NewMember';

async function main(): Promise<void> {
  process.env.WEBHOOK_ALLOW_PRIVATE_TARGETS = 'true';
  const receivers = await startReceivers();
  const service = await startBenchService();
  try {
    const isolation = await measureIsolation(service, receivers);
    const drain = await measureDrain(service, receivers);
    report(
      'webhooks',
      {
        [`healthy p50, ${faultyCount()} of ${endpoints} endpoints faulty, ${eventsPerSecond} events/s`]: `${isolation.p50Ms} ms`,
        'healthy p99': `${isolation.p99Ms} ms`,
        'healthy: sent, arrived': `${isolation.sent}, ${isolation.arrived}`,
        'drain of one endpoint': `${Math.round(drain.perSecond)} deliveries/s`,
        'plain requests to it': `${Math.round(drain.plainPerSecond)}/s`,
        'drain / plain requests': (drain.perSecond / drain.plainPerSecond).toFixed(2),
        'new events meanwhile, same endpoint': `p50 ${drain.same.p50Ms} ms, p99 ${drain.same.p99Ms} ms`,
        'new events meanwhile, another one': `p50 ${drain.other.p50Ms} ms, p99 ${drain.other.p99Ms} ms`,
        'events that came twice': drain.repeated,
        'memory of the service': `${service.peakMemoryMiB() ?? '?'} MiB`,
      },
      [
        { what: 'healthy p99 (ms)', value: isolation.p99Ms, limit: 500, direction: 'at most' },
        {
          what: 'healthy events lost',
          value: isolation.sent - isolation.arrived,
          limit: 0,
          direction: 'at most',
        },
        { what: 'drain (deliveries/s)', value: drain.perSecond, limit: 5_000, direction: 'at least' },
        {
          what: 'new events beside a backlog, p99 (ms)',
          value: Math.max(drain.same.p99Ms, drain.other.p99Ms),
          limit: 1_000,
          direction: 'at most',
        },
      ],
    );
  } finally {
    await service.stop();
    receivers.stop();
  }
}

const faultyCount = (): number => Math.floor(endpoints * 0.3);

/**
 * Measures healthy endpoints alongside faulty ones. Each endpoint has its own publisher, so every event is
 * sent to exactly one endpoint.
 */
async function measureIsolation(service: BenchService, receivers: Receivers) {
  const names = Array.from({ length: endpoints }, (_, index) => `hook-${index}`);
  await addEndpoints(
    service,
    names.map((name, index) => ({
      publisherId: name,
      url: receivers.url(index < faultyCount() ? (faults[index % faults.length] ?? '') : 'ok', name),
    })),
  );
  const database = openBenchDatabase(service);
  let sent = 0;
  let turn = 0;
  const publish = publisher(database);
  const publishNext = async (tag: string, isCounted: boolean): Promise<void> => {
    const index = turn++ % endpoints;
    if (isCounted && index >= faultyCount()) sent += 1;
    await publish(`hook-${index}`, { tag, memberId: `m-${index}` });
  };
  await paced(eventsPerSecond, 5, () => publishNext('warm-up', false));
  await paced(eventsPerSecond, seconds, () => publishNext('healthy', true));
  await sleep(3_000);
  await database.close();
  const latencies = await receivers.latencies('healthy');
  const { count } = await receivers.count('healthy');
  // The faulty endpoints' pending deliveries would disturb the next measurement.
  await service.client.query('update webhook_endpoint set is_enabled = false');
  await sleep(16_000);
  return { sent, arrived: count, ...percentiles(latencies) };
}

async function measureDrain(service: BenchService, receivers: Receivers) {
  const plainPerSecond = await plainRequests(receivers.url('ok', 'plain'), 3);
  await addEndpoints(service, [
    { publisherId: 'busy', url: receivers.url('ok', 'busy') },
    { publisherId: 'quiet', url: receivers.url('ok', 'quiet') },
  ]);
  const database = openBenchDatabase(service);
  await service.client.query('begin'); // so that the whole backlog appears at once
  await addBacklog(service, 'busy', backlog);
  await service.client.query('commit');
  const startedAt = performance.now();
  const arrived = async (): Promise<number> => (await receivers.count('backlog')).count;
  let elapsedMs = 0;
  const watching = (async () => {
    while ((await arrived()) < backlog) {
      if (performance.now() - startedAt > 300_000) throw new Error('the backlog is not draining');
      await sleep(50);
    }
    elapsedMs = performance.now() - startedAt;
  })();
  const publish = publisher(database);
  let isDraining = true;
  const adding = (async () => {
    while (isDraining) {
      for (const [publisherId, tag] of [
        ['busy', 'same'],
        ['quiet', 'other'],
      ] as const)
        await publish(publisherId, { tag, memberId: 'm' });
      await sleep(20);
    }
  })();
  await watching.finally(() => {
    isDraining = false;
  });
  await adding;
  await sleep(2_000);
  await database.close();
  return {
    perSecond: backlog / (elapsedMs / 1_000),
    plainPerSecond,
    same: percentiles(await receivers.latencies('same')),
    other: percentiles(await receivers.latencies('other')),
    repeated: (await receivers.count('backlog')).repeated,
  };
}

/**
 * Returns a function that publishes events as recording does: with the same SQL, planned once per connection.
 */
function publisher({
  backgroundPool,
}: Database): (publisherId: string, event: EventPayload) => Promise<void> {
  const text = `
    with said as (select $2::uuid as event_id, '${kind}' as kind, $3::text as event), ${publishing('said', '$1')}
    select`;
  return async (publisherId, event) => {
    await backgroundPool.query({
      name: 'publish',
      text,
      values: [publisherId, newRowId(), toEventText(event)],
    });
  };
}

interface NewEndpoint {
  publisherId: string;
  url: string;
}

async function addEndpoints({ client }: BenchService, added: readonly NewEndpoint[]): Promise<void> {
  const ids = added.map(({ publisherId }) => publisherId);
  await client.query(
    'insert into publisher (publisher_id, name) select id, id from unnest($1::text[]) as p (id) on conflict do nothing',
    [ids],
  );
  await client.query(
    `insert into webhook_endpoint (publisher_id, endpoint_id, url, event_kinds, secret)
     select id, 'we_' || id, url, array['${kind}'], $3 from unnest($1::text[], $2::text[]) as e (id, url)`,
    [ids, added.map(({ url }) => url), `whsec_${randomBytes(32).toString('base64')}`],
  );
}

async function addBacklog({ client }: BenchService, publisherId: string, count: number): Promise<void> {
  const event = JSON.stringify({
    tag: 'backlog',
    memberId: 'acc_0',
    code: 'CODE0',
    name: 'A creator of videos',
  });
  for (let left = count; left > 0; left -= 10_000) {
    const ids = Array.from({ length: Math.min(left, 10_000) }, newRowId);
    await client.query(
      `with e as (
         insert into webhook_event (publisher_id, event_id, kind, created_at, event)
         select $1, id, '${kind}', date_trunc('milliseconds', now() - interval '1 hour'), $3 from unnest($2::uuid[]) as n (id)
         returning event_id, created_at
       )
       insert into webhook_delivery (publisher_id, endpoint_id, event_id, next_attempt_at, created_at)
       select $1, 'we_' || $1, event_id, created_at, created_at from e`,
      [publisherId, ids, event],
    );
  }
}

/** Sends plain requests of the same size, 64 at once, to find the limit of the receiver and the machine. */
async function plainRequests(url: string, forSeconds: number): Promise<number> {
  const dispatcher = new Agent({ connections: 64 });
  const event = { tag: 'plain', memberId: 'acc_0', code: 'CODE0', name: 'A creator of videos' };
  const body = (): string =>
    JSON.stringify({
      eventId: newRowId(),
      createdAt: '2026-01-01 00:00:00.000000',
      eventType: 'GroupManagement',
      eventAction: 'NewMember',
      event,
    });
  let sent = 0;
  const deadline = performance.now() + forSeconds * 1_000;
  const lane = async (): Promise<void> => {
    while (performance.now() < deadline) {
      const response = await request(url, { dispatcher, method: 'POST', body: body() });
      await response.body.dump();
      sent += 1;
    }
  };
  await Promise.all(Array.from({ length: 64 }, lane));
  await dispatcher.close();
  return sent / forSeconds;
}

/** Calls `work` at a fixed rate regardless of how long it takes, with at most 64 calls at once. */
async function paced(perSecond: number, forSeconds: number, work: () => Promise<void>): Promise<void> {
  const startedAt = performance.now();
  const underWay = new Set<Promise<void>>();
  for (let done = 0; done < perSecond * forSeconds; done += 1) {
    const dueMs = startedAt + (done * 1_000) / perSecond;
    const earlyMs = dueMs - performance.now();
    if (earlyMs > 0) await sleep(earlyMs);
    while (underWay.size >= 64) await Promise.race(underWay);
    const working = work().finally(() => underWay.delete(working));
    underWay.add(working);
  }
  await Promise.all(underWay);
}

function percentiles(values: readonly number[]): { p50Ms: number; p99Ms: number } {
  const sorted = [...values].sort((one, other) => one - other);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { p50Ms: at(0.5), p99Ms: at(0.99) };
}

await main();
