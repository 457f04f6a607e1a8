import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { until } from '../../../test/attribution-process.ts';
import { answer, startReceiver } from '../../../test/receiver.ts';
import { testActor } from '../../../test/test-actor.ts';
import { closing, movedClock, type StoredDelivery, useWebhooks } from '../../../test/webhooks.ts';
import type { EndpointId } from '../../platform/database/tables.generated.ts';
import { toEventId } from '../../platform/ids.ts';
import { listEndpoints } from '../endpoints/list-endpoints.ts';
import { switchEndpoint } from '../endpoints/switch-endpoint.ts';
import { replayDeliveries } from './read/replay-deliveries.ts';

const { db, query, endpoint, publish, deliver, deliveries, attempts, settled } = useWebhooks();

const hourMs = 3_600_000;
/** Expected waits, taken from the decision (D39) and not from the code. */
const waitsMs = [5_000, 30_000, 300_000, 1_800_000, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hourMs)];

const attempted = (endpointId: EndpointId, count: number): Promise<StoredDelivery> =>
  until(`attempt ${count}`, async () => {
    const [delivery] = await deliveries(endpointId);
    return delivery?.attempt_count === count && delivery.worker_id === null && delivery;
  });
const stateOf = async (endpointId: EndpointId) =>
  (await listEndpoints(db(), 'aurora', new Date())).find((each) => each.endpointId === endpointId);

test('makes eleven attempts with the schedule’s ten delays, then fails; a replay restarts the schedule', async () => {
  const receiver = closing(await startReceiver(answer(500)));
  const { endpointId } = await endpoint(receiver.url);
  // The endpoint remains enabled throughout, because the waits add up to only about three days.
  const clock = movedClock();
  deliver(clock);
  const [eventId = toEventId('')] = await publish();
  for (const [index, waitMs] of waitsMs.entries()) {
    const { next_attempt_at, status } = await attempted(endpointId, index + 1);
    const last = (await attempts(endpointId)).at(-1);
    const wait = next_attempt_at.getTime() - (last?.started_at.getTime() ?? 0) - (last?.duration_ms ?? 0);
    expect(status).toBe('Pending');
    expect(wait, `wait ${index + 1}`).toBeGreaterThan(waitMs * 0.8 - 5);
    expect(wait, `wait ${index + 1}`).toBeLessThan(waitMs * 1.2 + 1_000);
    clock.move(next_attempt_at.getTime() - clock.now().getTime() - 1_000);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(receiver.received, 'nothing is sent before its time').toHaveLength(index + 1);
    clock.move(1_000);
  }
  await attempted(endpointId, 11);
  expect(await deliveries(endpointId)).toMatchObject([{ status: 'Failed', try_count: 11 }]);
  clock.move(25 * hourMs);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(receiver.received).toHaveLength(11);

  expect(await replayDeliveries(db(), testActor, { publisherId: 'aurora', eventId })).toMatchObject({
    replayed: 1,
  });
  const { next_attempt_at, try_count, status } = await attempted(endpointId, 12);
  expect([status, try_count]).toEqual(['Pending', 1]);
  expect(next_attempt_at.getTime() - clock.now().getTime(), 'the first wait again').toBeLessThan(6_000);
  receiver.behave(answer(200));
  clock.move(6_000);
  expect(await settled(endpointId)).toMatchObject([{ status: 'Delivered', attempt_count: 13, try_count: 2 }]);

  expect(new Set(receiver.eventIds()), 'one eventId').toEqual(new Set([eventId]));
  expect(new Set(receiver.received.map(({ body }) => body)).size, 'the same bytes').toBe(1);
  const contract = receiver.received.map(({ headers }) => headers['x-webhook-signature-256']);
  expect(new Set(contract).size).toBe(1);
  const timestamps = receiver.received.map(({ headers }) => Number(headers['webhook-timestamp']));
  expect(timestamps, 'each attempt has its own time').toEqual(
    [...timestamps].sort((one, other) => one - other),
  );
  expect(new Set(timestamps).size).toBeGreaterThan(10);
  expect((await attempts(endpointId)).map((each) => each.attempt_number)).toEqual(
    Array.from({ length: 13 }, (_, index) => index + 1),
  );
});

test.each([
  ['longer than the wait is used', () => '3600', 3_600_000],
  ['as a date is used', (now: Date) => new Date(now.getTime() + 7_200_000).toUTCString(), 7_200_000],
  ['of a year counts as a day', () => String(365 * 24 * 3_600), 24 * hourMs],
  ['shorter than the wait changes nothing', () => '1', 5_000],
])('Retry-After %s', async (_what, header, waitMs) => {
  const clock = movedClock();
  const receiver = closing(
    await startReceiver((...all) => answer(429, { 'retry-after': header(clock.now()) })(...all)),
  );
  const { endpointId } = await endpoint(receiver.url);
  deliver(clock);
  await publish();
  const { next_attempt_at } = await attempted(endpointId, 1);
  const wait = next_attempt_at.getTime() - clock.now().getTime();
  expect(wait).toBeGreaterThan(waitMs * (waitMs === 5_000 ? 0.8 : 1) - 3_000);
  expect(wait).toBeLessThan(waitMs * (waitMs === 5_000 ? 1.2 : 1) + 2_000);
});

test('switches off an endpoint that has failed for five days, with the reason', async () => {
  const receiver = closing(await startReceiver(answer(500)));
  const { endpointId } = await endpoint(receiver.url);
  const clock = movedClock();
  let switchedOff = 0;
  deliver(clock, {
    onSwitchedOff() {
      switchedOff += 1;
    },
  });
  await publish();
  await until('the failure to be recorded', async () => (await stateOf(endpointId))?.failingSince);
  clock.move(5 * 24 * hourMs - 60_000);
  await attempted(endpointId, 2);
  expect(await stateOf(endpointId)).toMatchObject({ isEnabled: true });
  clock.move(120_000);
  await publish();
  await until('the endpoint to be switched off', async () => !(await stateOf(endpointId))?.isEnabled);
  expect(await stateOf(endpointId)).toMatchObject({ disabledReason: 'every attempt failed for 5 days' });
  expect(switchedOff).toBe(1);
  clock.move(24 * hourMs);
  expect((await settled(endpointId)).map(({ status }) => status)).toEqual(['Failed', 'Failed']);

  await switchEndpoint(db(), testActor, { publisherId: 'aurora', endpointId, isEnabled: true });
  expect(await stateOf(endpointId)).toMatchObject({
    isEnabled: true,
    disabledReason: null,
    failingSince: null,
  });
  receiver.behave(answer(200));
  expect(
    await replayDeliveries(db(), testActor, {
      publisherId: 'aurora',
      endpointId,
      since: new Date(0),
      all: false,
    }),
  ).toMatchObject({
    replayed: expect.toSatisfy((count: number) => count > 1),
  });
  expect((await settled(endpointId)).map(({ status }) => status)).not.toContain('Failed');
});

test('a success clears the failures before it', async () => {
  const receiver = closing(await startReceiver(answer(500)));
  const { endpointId } = await endpoint(receiver.url);
  const clock = movedClock();
  deliver(clock);
  await publish();
  await until('the failure to be recorded', async () => (await stateOf(endpointId))?.failingSince);
  clock.move(3 * 24 * hourMs);
  receiver.behave(answer(200));
  await settled(endpointId);
  await until('the failure to be cleared', async () => (await stateOf(endpointId))?.failingSince === null);
  receiver.behave(answer(500));
  clock.move(3 * 24 * hourMs);
  await publish();
  await until('the next failure', async () => (await stateOf(endpointId))?.failingSince);
  expect(await stateOf(endpointId)).toMatchObject({ isEnabled: true });
});

test("one failure among concurrent deliveries doesn't switch off an endpoint days later", async () => {
  const receiver = closing(await startReceiver());
  const { endpointId } = await endpoint(receiver.url);
  const clock = movedClock();
  deliver(clock);
  await publish(100); // from here on, many deliveries are in progress at once
  await settled(endpointId);
  receiver.received.length = 0;
  receiver.behave((response, request) => {
    const isFirst = receiver.received.length === 1;
    setTimeout(() => answer(isFirst ? 500 : 200)(response, request), isFirst ? 50 : 200);
  });
  await publish(20);
  await until('the requests', async () => receiver.received.length >= 20);
  await until('the responses', async () => {
    const found = await deliveries(endpointId);
    return found.filter(({ status }) => status === 'Delivered').length >= 119;
  });
  // The retry is sent days later and fails again, once.
  receiver.behave(answer(500));
  clock.move(6 * 24 * hourMs);
  await until('the retry', async () => receiver.received.length >= 21);
  await until('the attempt of the retry', async () =>
    (await deliveries(endpointId)).some((each) => each.attempt_count === 2),
  );
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(await stateOf(endpointId)).toMatchObject({ isEnabled: true });
});

test("a delivery that waits for its retry doesn't delay newer events of the same endpoint", async () => {
  const receiver = closing(
    await startReceiver((response, request) =>
      answer(request.json.event.name === 'bad' ? 500 : 200)(response, request),
    ),
  );
  const { endpointId } = await endpoint(receiver.url);
  deliver();
  const bad = await publish(5, { name: 'bad' });
  const good = await publish(5, { name: 'good' });
  await until('the newer events', async () => {
    const found = await deliveries(endpointId);
    return found.filter(({ status }) => status === 'Delivered').length === 5;
  });
  const left = (await deliveries(endpointId)).filter(({ status }) => status === 'Pending');
  expect(left.map(({ event_id }) => event_id)).toEqual(bad);
  expect(new Set(receiver.eventIds().filter((id) => good.some((each) => each === id))).size).toBe(5);
});

test('stores the events that an endpoint missed while it was off, and replays them from a given time', async () => {
  const receiver = closing(await startReceiver());
  const { endpointId } = await endpoint(receiver.url);
  await switchEndpoint(db(), testActor, { publisherId: 'aurora', endpointId, isEnabled: false });
  await publish(2);
  // Event times are in whole milliseconds, so no event may have the same millisecond as `since`.
  await new Promise((resolve) => setTimeout(resolve, 5));
  const [row] = await query<{ at: Date }>(sql`select clock_timestamp() as at`);
  await new Promise((resolve) => setTimeout(resolve, 5));
  const missed = await publish(3);
  const replay = { publisherId: 'aurora', endpointId, since: row?.at ?? new Date(), all: false };
  await expect(replayDeliveries(db(), testActor, replay)).rejects.toThrow('is off');
  await switchEndpoint(db(), testActor, { publisherId: 'aurora', endpointId, isEnabled: true });
  deliver();
  expect(await replayDeliveries(db(), testActor, replay)).toMatchObject({
    replayed: 3,
  });
  await settled(endpointId);
  expect(receiver.eventIds().sort()).toEqual(missed);
  expect(await replayDeliveries(db(), testActor, replay), 'all is delivered').toMatchObject({ replayed: 0 });
  expect(await replayDeliveries(db(), testActor, { ...replay, all: true })).toMatchObject({
    replayed: 3,
  });
  await settled(endpointId);
  expect(receiver.received).toHaveLength(6);
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(3);
});
