import type { ServerResponse } from 'node:http';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { until } from '../../test/attribution-process.ts';
import { answer, startReceiver } from '../../test/receiver.ts';
import { connect } from '../../test/test-database.ts';
import { closing, movedClock, useWebhooks } from '../../test/webhooks.ts';
import { coverIds } from '../platform/dated-ids.ts';
import { rowIdAt } from '../platform/ids.ts';
import { publishEvents } from './publish-events.ts';
import { purgeEvents } from './purge-events.ts';

const { testDatabase, db, query, endpoint, publish, deliver, settled } = useWebhooks();

const dayMs = 86_400_000;
const never = new AbortController().signal;
const today = new Date(new Date().toISOString().slice(0, 10));
const daysFromNow = (days: number): Date => new Date(today.getTime() + days * dayMs);
const firstIdOf = (days: number): string =>
  `${rowIdAt(daysFromNow(days)).slice(0, 13)}-0000-0000-000000000000`;
const purge = (day: number): Promise<number> => purgeEvents(db(), daysFromNow(day), never);

const tables = ['webhook_event', 'webhook_delivery_end', 'webhook_attempt'];
const past = [-6, -5, -4, -3, -2];

beforeEach(async () => {
  const owner = await connect(testDatabase().ownerConnection);
  for (const table of tables) {
    const { rows } = await owner.query('select name, end_id from day_partitions($1)', [table]);
    for (const { name, end_id } of rows) if (end_id <= firstIdOf(-1)) await owner.query(`drop table ${name}`);
    for (const day of past)
      await owner.query(
        `create table ${table}_ago${-day} partition of ${table} for values from ('${firstIdOf(day)}') to ('${firstIdOf(day + 1)}')`,
      );
  }
});

/** Returns which of the five days still have partitions. Expects the same days in every table. */
const daysLeft = async (): Promise<number[]> => {
  const found = await Promise.all(
    tables.map((table) =>
      query<{ end_id: string }>(sql`select end_id::text as end_id from day_partitions(${table})`),
    ),
  );
  const ofTables = found.map((rows) =>
    past.filter((day) => rows.some(({ end_id }) => end_id === firstIdOf(day + 1))),
  );
  for (const days of ofTables) expect(days, 'the same in every table').toEqual(ofTables[0]);
  return ofTables[0] ?? [];
};

/** Publishes events as if the process's clock showed an earlier day. */
async function publishOn(day: number, count = 1): Promise<void> {
  coverIds({ first: null, end: firstIdOf(day + 1) });
  try {
    const kind = 'GroupManagement/NewMember';
    await publishEvents(db(), 'aurora', Array(count).fill({ kind, event: { name: `of ${day}` } }));
  } finally {
    coverIds(null);
  }
}

const left = async () => {
  const [row] = await query<Record<string, bigint>>(sql`
    select (select count(*) from webhook_event) as events, (select count(*) from webhook_delivery) as "onTheirWay",
           (select count(*) from webhook_delivery_end) as ended, (select count(*) from webhook_attempt) as attempts`);
  return Object.values(row ?? {}).map(Number);
};

test('drops a day with its deliveries and attempts after its retention, and not before', async () => {
  await endpoint(closing(await startReceiver()).url);
  deliver();
  await publishOn(-4, 3);
  await publishOn(-3, 2);
  await publish();
  await settled();
  expect(await left()).toEqual([6, 0, 6, 6]);
  await purge(-4);
  expect([await daysLeft(), await left()]).toEqual([
    [-4, -3, -2],
    [6, 0, 6, 6],
  ]);
  await purge(-3);
  expect([await daysLeft(), await left()]).toEqual([
    [-3, -2],
    [3, 0, 3, 3],
  ]);
  await purge(30); // even with a clock that is a month ahead, today's partition stays
  expect([await daysLeft(), await left()]).toEqual([[], [1, 0, 1, 1]]);
});

test('keeps a day with an undelivered event, and all later days, until the event is delivered', async () => {
  const receiver = closing(await startReceiver(answer(500)));
  const other = closing(await startReceiver());
  await endpoint(receiver.url);
  await endpoint(other.url);
  const clock = movedClock();
  await publishOn(-5);
  await publishOn(-3);
  const held: ServerResponse[] = [];
  receiver.behave((response) => void held.push(response));
  deliver(clock);
  await until('an attempt to be under way', () => receiver.received.length > 0);
  await purge(-1);
  expect([await daysLeft(), (await left())[0]]).toEqual([[-5, -4, -3, -2], 2]);
  receiver.behave(answer(200));
  for (const response of held) response.writeHead(500).end();
  const failed = sql<{ count: bigint }>`select count(*) from webhook_attempt where status_code = 500`;
  await until(
    'the attempts to have failed',
    async () => Number((await query(failed))[0]?.count) === held.length,
  );
  clock.move(20_000);
  await settled();
  await purge(-1);
  expect([await daysLeft(), await left()]).toEqual([[], [0, 0, 0, 0]]);
});

test('keeps a day whose event a replay enqueues at the same time', async () => {
  const { endpointId } = await endpoint('http://127.0.0.1:1/');
  await publishOn(-4);
  await query(sql`delete from webhook_delivery`); // as if the endpoint had been disabled
  const replaying = await connect(testDatabase().connection);
  await replaying.query('begin');
  await replaying.query(
    `insert into webhook_delivery (publisher_id, endpoint_id, event_id, next_attempt_at, created_at)
     select publisher_id, $1, event_id, now(), created_at from webhook_event`,
    [endpointId],
  );
  const purging = purge(-1);
  await new Promise((resolve) => setTimeout(resolve, 200));
  await publish(); // isn't blocked by the purge
  await replaying.query('commit');
  await purging;
  expect([await daysLeft(), await left()]).toEqual([
    [-4, -3, -2],
    [2, 2, 0, 0],
  ]);
  const stopped = new AbortController();
  stopped.abort();
  expect(await purgeEvents(db(), daysFromNow(-1), stopped.signal)).toBe(0);
});
