import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { until } from '../../../../test/attribution-process.ts';
import { answer, hang, startReceiver } from '../../../../test/receiver.ts';
import { testActor } from '../../../../test/test-actor.ts';
import { closing, movedClock, useWebhooks } from '../../../../test/webhooks.ts';
import { removeEndpoint } from '../../endpoints/remove-endpoint.ts';
import {
  areDeliveriesDue,
  oldestDueAt,
  type WaitingEndpoint,
  waitingEndpoints,
} from './waiting-endpoints.ts';

const { db, endpoint, publish, deliver, settled, query } = useWebhooks();

test('the skip scan and the grouped query return the same endpoints and due times, page by page', async () => {
  await query(sql`
    insert into webhook_delivery (publisher_id, endpoint_id, event_id, next_attempt_at, created_at, worker_id)
    select case when n % 3 = 0 then 'aurora' else 'rival' end, 'we-' || n % 7, gen_random_uuid(),
           timestamptz '2026-01-01Z' + ((n * 37) % 101) * interval '1 minute', '2026-01-01Z',
           case when n % 7 = 2 or n % 5 = 1 then gen_random_uuid() end
    from generate_series(1, 200) n`);
  const all = async (isSpread: boolean, on = db()): Promise<WaitingEndpoint[]> => {
    const found: WaitingEndpoint[] = [];
    for (;;) {
      const page = await waitingEndpoints(on, found.at(-1) ?? null, { limit: 5, isSpread });
      found.push(...page);
      if (page.length < 5) return found;
    }
  };
  const failureText = (found: readonly WaitingEndpoint[]): string[] =>
    found.map(({ publisherId, endpointId, from }) => `${publisherId} ${endpointId} ${+from.dueAt}`);
  const found = await all(false);
  expect(found).toHaveLength(12);
  // The result must not depend on the order in which rows are read.
  const summed = await db()
    .transaction()
    .execute(async (tx) => {
      await sql`select set_config('enable_indexscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
                       set_config('enable_sort', 'off', true)`.execute(tx);
      return all(true, tx);
    });
  expect(failureText(summed)).toEqual(failureText(found));
  const said = async (isSpread: boolean): Promise<unknown[]> => {
    const at = (minutes: number): Date => new Date(Date.UTC(2026, 0, 1, 0, minutes));
    const [row] = await query<Record<string, unknown>>(sql`
      select ${oldestDueAt({ limit: 100, isSpread })} as oldest, ${oldestDueAt({ limit: 3, isSpread })} as "ofThree",
             ${areDeliveriesDue(at(-1), { limit: 100, isSpread })} as before,
             ${areDeliveriesDue(at(200), { limit: 100, isSpread })} as after,
             ${areDeliveriesDue(at(-1), { limit: 3, isSpread })} as "manyEndpoints"`);
    return Object.values(row ?? {});
  };
  const firstOf = (some: readonly WaitingEndpoint[]): Date =>
    new Date(Math.min(...some.map(({ from }) => +from.dueAt)));
  expect(firstOf(found)).not.toEqual(firstOf(found.slice(0, 3)));
  for (const isSpread of [true, false])
    expect(await said(isSpread)).toEqual([firstOf(found), firstOf(found.slice(0, 3)), false, true, true]);
  await query(sql`delete from webhook_delivery`);
  for (const isSpread of [true, false])
    expect(await said(isSpread), 'where nothing waits').toEqual([null, null, false, false, false]);
});

test('with spread publishers, each event arrives once, past a backlog and a hanging endpoint, or fails with its endpoint', async () => {
  const busy = closing(await startReceiver());
  const quiet = closing(await startReceiver());
  const hanging = closing(await startReceiver(hang));
  await endpoint(busy.url);
  await endpoint(hanging.url);
  const gone = await endpoint(closing(await startReceiver(answer(200))).url);
  const backlog = await publish(600);
  await removeEndpoint(db(), testActor, { publisherId: 'aurora', endpointId: gone.endpointId });
  await endpoint(quiet.url, undefined, 'rival');
  deliver(movedClock(), { isSpread: true });
  const [late] = await publish(1, undefined, 'rival');
  await until('the quiet endpoint', () => quiet.received.length > 0);
  await until('the backlog', () => busy.received.length === backlog.length);
  expect(quiet.eventIds()).toEqual([late]);
  expect(busy.eventIds().sort()).toEqual([...backlog].sort());
  expect(busy.received.length).toBe(600);
  const failed = await settled(gone.endpointId);
  expect(failed.map(({ status }) => status)).toEqual(Array(600).fill('Failed'));
});
