import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { answer, startReceiver } from '../../test/receiver.ts';
import { closing, movedClock, useWebhooks } from '../../test/webhooks.ts';
import { purgeEvents } from './purge-events.ts';

const { db, query, endpoint, publish, deliver, settled, deliveries } = useWebhooks();

const dayMs = 86_400_000;
const never = new AbortController().signal;
/** 30 days ago, on a clock that has moved on by so many days. */
const monthBefore = (days: number): Date => new Date(Date.now() + (days - 30) * dayMs);
const purge = (days: number, stopping = never): Promise<number> =>
  purgeEvents(db(), monthBefore(days), stopping);

const left = async (publisherId = 'aurora') => {
  const [row] = await query<Record<string, bigint>>(sql`
    select (select count(*) from webhook_event where publisher_id = ${publisherId}) as events,
           (select count(*) from webhook_delivery where publisher_id = ${publisherId}) as deliveries,
           (select count(*) from webhook_attempt where publisher_id = ${publisherId}) as attempts`);
  return Object.values(row ?? {}).map(Number);
};
const fail = () =>
  query(sql`update webhook_delivery set status = 'Failed', finished_at = now() where status = 'Pending'`);

test('events go with their deliveries and attempts when the kept days are over, and not before', async () => {
  const receiver = closing(await startReceiver());
  await endpoint(receiver.url);
  deliver();
  await publish(5);
  await settled();
  expect(await left()).toEqual([5, 5, 5]);
  expect(await purge(29.99)).toBe(0);
  expect(await left()).toEqual([5, 5, 5]);
  expect(await purge(30.01)).toBe(5);
  expect(await left()).toEqual([0, 0, 0]);
});

test('one that is still on its way to somebody stays, with all that belongs to it', async () => {
  const good = closing(await startReceiver());
  const bad = closing(await startReceiver(answer(500)));
  const delivered = await endpoint(good.url);
  const waiting = await endpoint(bad.url);
  deliver(movedClock());
  await publish(3);
  await settled(delivered.endpointId);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect((await deliveries(waiting.endpointId)).map(({ status }) => status)).toEqual(
    Array(3).fill('Pending'),
  );
  expect(await purge(31)).toBe(0);
  expect(await left()).toEqual([3, 6, 6]);
});

test('what is young stays beside what is old; each publisher’s own', async () => {
  await endpoint('http://127.0.0.1:1/');
  await endpoint('http://127.0.0.1:1/', undefined, 'rival');
  await publish(2);
  await new Promise((resolve) => setTimeout(resolve, 20));
  const between = new Date();
  await new Promise((resolve) => setTimeout(resolve, 20));
  const young = await publish(1);
  await publish(2, { a: 1 }, 'rival');
  await fail();
  expect(await purgeEvents(db(), between, never)).toBe(2);
  expect(await left()).toEqual([1, 1, 0]);
  expect((await deliveries()).filter(({ event_id }) => young.includes(event_id))).toHaveLength(1);
  expect(await left('rival')).toEqual([2, 2, 0]);
  expect(await purge(31)).toBe(3);
});

test('thousands go, a set at a time, and stopping ends it between two sets', async () => {
  await endpoint('http://127.0.0.1:1/');
  await publish(2_500);
  await fail();
  const stopped = new AbortController();
  stopped.abort();
  expect(await purge(31, stopped.signal)).toBe(0);
  expect(await purge(31)).toBe(2_500);
  expect(await left()).toEqual([0, 0, 0]);
});
