import { expect, test } from 'vitest';
import { until } from '../../../test/attribution-process.ts';
import {
  answer,
  type Behavior,
  dripHeaders,
  hang,
  type Receiver,
  raw,
  reset,
  startReceiver,
} from '../../../test/receiver.ts';
import { closing, movedClock, useWebhooks } from '../../../test/webhooks.ts';

const { endpoint, publish, deliver, deliveries } = useWebhooks();

const bad: readonly Behavior[] = [
  hang,
  reset,
  dripHeaders,
  answer(302, { location: 'http://127.0.0.1:1/' }),
  answer(429, { 'retry-after': '1' }),
  answer(500),
  raw('nonsense\r\n\r\n'),
  hang,
];

/** Returns the time from publication to arrival, in milliseconds, for all events that arrived. */
function latencies(receivers: readonly Receiver[], publishedMs: ReadonlyMap<string, number>): number[] {
  return receivers
    .flatMap(({ received }) =>
      received.flatMap(({ json, atMs }) => {
        const startedMs = publishedMs.get(json.eventId);
        return startedMs === undefined ? [] : atMs - startedMs;
      }),
    )
    .sort((one, other) => one - other);
}

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function steadily(events: number, everyMs: number, publishedMs: Map<string, number>): Promise<void> {
  for (let index = 0; index < events; index += 1) {
    const startedMs = performance.now();
    for (const eventId of await publish()) publishedMs.set(eventId, startedMs);
    await pause(everyMs);
  }
}

test('endpoints receive each event once, within a second, while a third of 36 endpoints misbehave in every way', async () => {
  const healthy: Receiver[] = [];
  for (let index = 0; index < 36; index += 1) {
    const isHealthy = index % 3 !== 0;
    const receiver = closing(await startReceiver(isHealthy ? answer(200) : bad[(index / 3) % bad.length]));
    await endpoint(receiver.url);
    if (isHealthy) healthy.push(receiver);
  }
  deliver(movedClock(), { intervalMs: 50 });
  const first = await publish();
  await until('the first events to arrive', () => healthy.every(({ received }) => received.length >= 1));
  const publishedMs = new Map<string, number>();
  await steadily(29, 50, publishedMs);
  await until('all events to arrive', () => healthy.every(({ received }) => received.length >= 30));
  await pause(200);
  const expected = [...first, ...publishedMs.keys()].sort();
  for (const receiver of healthy)
    expect(receiver.eventIds().sort(), 'each event exactly once').toEqual(expected);
  const found = latencies(healthy, publishedMs);
  expect(percentile(found, 0.99)).toBeLessThan(1_000);
  expect(percentile(found, 0.5)).toBeLessThan(300);
  const stored = await deliveries();
  expect(stored, 'nothing is lost').toHaveLength(36 * 30);
  expect(stored.filter(({ status }) => status === 'Delivered')).toHaveLength(healthy.length * 30);
});

test("endpoints with a backlog that begin to hang all at once don't delay others", async () => {
  const turning = await Promise.all(Array.from({ length: 15 }, async () => closing(await startReceiver())));
  const steady = closing(await startReceiver());
  for (const { url } of [...turning, steady]) await endpoint(url);
  deliver(movedClock(), { maxTaken: 500 });
  await publish(100); // each endpoint has delivered, so it is allowed many concurrent requests
  await until('the first events to arrive', () => turning.every(({ received }) => received.length === 100));
  await until('the events at the steady endpoint', () => steady.received.length === 100);
  for (const receiver of turning) receiver.behave(hang);
  const startedMs = performance.now();
  await publish(150);
  await until('the steady endpoint to receive its events', () => steady.received.length >= 250);
  expect(performance.now() - startedMs).toBeLessThan(4_000);
  steady.received.length = 0;
  const publishedMs = new Map<string, number>();
  await steadily(15, 40, publishedMs);
  await until('all events to arrive', () => steady.received.length >= 15);
  expect(percentile(latencies([steady], publishedMs), 1)).toBeLessThan(1_000);
});

test("an endpoint with a backlog of thousands receives new events in between and doesn't delay others", async () => {
  const slow = closing(
    await startReceiver((response, request) => void setTimeout(() => answer(200)(response, request), 100)),
  );
  const quick = closing(await startReceiver());
  await endpoint(slow.url);
  await publish(3_000);
  await endpoint(quick.url);
  deliver();
  await until('the backlog to be under way', () => slow.received.length > 50);
  const publishedMs = new Map<string, number>();
  await steadily(10, 20, publishedMs);
  const news = [...publishedMs.keys()];
  await until('all events at the quick endpoint', () => quick.received.length >= 10);
  expect(percentile(latencies([quick], publishedMs), 1)).toBeLessThan(1_000);
  await until('new events at the slow endpoint', () => news.every((id) => slow.eventIds().includes(id)));
  expect(slow.received.length, 'before its backlog').toBeLessThan(3_010);
});

/** Starts a server that never responds, and adds endpoints with its URL for several publishers. */
async function hangingEndpoints(count: number, publisherIds: readonly string[]): Promise<Receiver> {
  const receiver = closing(await startReceiver(hang));
  await Promise.all(
    Array.from({ length: count }, (_, index) =>
      endpoint(
        `${receiver.url}/${index}`,
        ['GroupManagement/NewMember'],
        publisherIds[index % publisherIds.length],
      ),
    ),
  );
  return receiver;
}

const publishers = ['aurora', 'rival'];
const publishAll = async (count = 1): Promise<void> => {
  for (const publisherId of publishers) await publish(count, undefined, publisherId);
};

test('a new endpoint gets its event within about a second, no matter how many others hang', async () => {
  const hanging = await hangingEndpoints(80, publishers);
  await publishAll(3);
  deliver(movedClock(), { maxTaken: 50 });
  await until('the capacity to be used up', () => hanging.received.length >= 35);
  const healthy = closing(await startReceiver());
  await endpoint(healthy.url);
  const startedMs = performance.now();
  await publishAll();
  await until('the event', () => healthy.received.length === 1);
  expect(performance.now() - startedMs).toBeLessThan(1_500);
  await until('all other endpoints to be tried', () => hanging.received.length >= 80);
});

test('when too many requests hang, the oldest are canceled early and retried', async () => {
  const hanging = await hangingEndpoints(70, publishers);
  await publishAll(2);
  const ended: boolean[] = [];
  deliver(movedClock(), {
    maxTaken: 20,
    minPatienceMs: 600,
    onAttempt: (isDelivered) => ended.push(isDelivered),
  });
  await until('the capacity to be used up', () => hanging.received.length >= 50);
  const healthy = closing(await startReceiver());
  await endpoint(healthy.url);
  const startedMs = performance.now();
  await publishAll();
  await until('the event', () => healthy.received.length === 1);
  expect(performance.now() - startedMs).toBeLessThan(2_500);
  await until('all endpoints to be tried', () => hanging.received.length >= 70);
  expect(ended).toContain(false);
  const stored = await deliveries();
  expect(stored.filter(({ status }) => status === 'Pending').length).toBeGreaterThanOrEqual(70 * 2 + 1);
});

test('a publisher whose endpoints all hang takes no capacity that another needs', async () => {
  const hanging = await hangingEndpoints(60, ['rival']);
  await publish(2, undefined, 'rival');
  deliver(movedClock(), { maxTaken: 20 }); // the publisher's share is full for 15 seconds
  await until('the share to be used up', () => hanging.received.length >= 30);
  const healthy = closing(await startReceiver());
  await endpoint(healthy.url);
  for (let round = 0; round < 3; round += 1) {
    const startedMs = performance.now();
    await publish();
    await until('the event', () => healthy.received.length === round + 1);
    expect(performance.now() - startedMs).toBeLessThan(1_000);
  }
});

test('a fast endpoint that begins to hang soon holds only its requests in progress', async () => {
  const receiver = closing(await startReceiver());
  await endpoint(receiver.url);
  await publish(4_000);
  deliver();
  await until('the backlog to be under way', () => receiver.received.length >= 1_000);
  receiver.behave(hang);
  const held = async (): Promise<number> =>
    (await deliveries()).filter(({ worker_id }) => worker_id !== null).length;
  const startedMs = performance.now();
  await until('the queued deliveries to be released', async () => (await held()) <= 64);
  expect(performance.now() - startedMs).toBeLessThan(10_000);
  const isPending = ({ status, worker_id }: { status: string; worker_id: unknown }): boolean =>
    status === 'Pending' && worker_id === null;
  expect((await deliveries()).filter(isPending).length).toBeGreaterThan(100);
  receiver.behave(answer(200));
}, 40_000);
