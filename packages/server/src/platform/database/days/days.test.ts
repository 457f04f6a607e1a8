import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { addEndpoint } from '../../../../test/endpoints.ts';
import { provisionFixtures, purchase } from '../../../../test/fixtures.ts';
import { asAdmin, connect, createTestDatabase, type TestDatabase } from '../../../../test/test-database.ts';
import { startService } from '../../../../test/test-service.ts';
import { coverIds, newDatedId } from '../../dated-ids.ts';
import { newRowId, rowIdAt } from '../../ids.ts';
import { dropDays } from './drop-days.ts';
import { daysAhead, makeDays, readCoveredIds } from './make-days.ts';

afterEach(() => coverIds(null));

const dayMs = 86_400_000;
const never = new AbortController().signal;
const today = new Date(new Date().toISOString().slice(0, 10));
const daysFromNow = (days: number): Date => new Date(today.getTime() + days * dayMs);

async function useDays(untilDay: number) {
  const testDatabase: TestDatabase = await createTestDatabase();
  onTestFinished(testDatabase.drop);
  const owner = await connect(testDatabase.ownerConnection);
  await owner.query("insert into publisher (publisher_id, name) values ('aurora', 'Aurora')");
  const { rows } = await owner.query("select * from day_partitions('refused_request')");
  for (const { name, end_id } of rows)
    if (end_id > rowIdAt(daysFromNow(untilDay))) await owner.query(`drop table ${name}`);
  const { db } = testDatabase.database;
  return {
    testDatabase,
    owner,
    db,
    partitions: async (): Promise<string[]> => {
      const { rows: found } = await owner.query("select name from day_partitions('refused_request')");
      return found.map(({ name }) => name.replace('refused_request_', ''));
    },
    write: (id: string) =>
      sql`insert into refused_request (publisher_id, refused_id, at, key_id, method, route, status, code, message, request_id, address)
          values ('aurora', ${id}::uuid, now(), 'key_x', 'GET', '/v1/x', 400, 'X', '', 'x', '::1')`.execute(
        db,
      ),
    ids: async (): Promise<string[]> => {
      const { rows: found } = await owner.query('select refused_id from refused_request order by refused_id');
      return found.map(({ refused_id }) => refused_id);
    },
  };
}

const firstIdOf = (days: number): string =>
  `${rowIdAt(daysFromNow(days)).slice(0, 13)}-0000-0000-000000000000`;
const named = (days: number): string => daysFromNow(days).toISOString().slice(0, 10).replaceAll('-', '');

test('creates each day once with five concurrent processes, as a role that can’t create tables', async () => {
  const { testDatabase, db, partitions, write } = await useDays(1);
  const service = await connect(testDatabase.connection);
  await expect(service.query('create table mine (id int)')).rejects.toMatchObject({ code: '42501' });
  await expect(write(rowIdAt(daysFromNow(2)))).rejects.toMatchObject({ code: '23514' });
  const made = await Promise.all(Array.from({ length: 5 }, () => makeDays(db)));
  expect(made.toSorted().at(-1)).toBe(daysAhead);
  expect(made.filter((count) => count > 0)).toHaveLength(1);
  const days = Array.from({ length: daysAhead + 1 }, (_, day) => named(day));
  expect(await partitions()).toEqual(['before', named(-1), ...days]);
  for (const day of [-400, -1, 0, 0.999, daysAhead + 0.999]) await write(rowIdAt(daysFromNow(day)));
  await expect(write(rowIdAt(daysFromNow(daysAhead + 1)))).rejects.toMatchObject({ code: '23514' });
});

test('covers days on which no process ran with one partition, without a gap', async () => {
  const { owner, db, partitions, write } = await useDays(-1);
  await owner.query('alter table refused_request detach partition refused_request_before');
  await owner.query(
    `alter table refused_request attach partition refused_request_before for values from (minvalue) to ('${firstIdOf(-40)}')`,
  );
  await makeDays(db);
  expect((await partitions()).slice(0, 4)).toEqual(['before', named(-40), named(0), named(1)]);
  for (const day of [-41, -40, -20.5, -0.001, 0, 1]) await write(rowIdAt(daysFromNow(day)));
});

test('writes rows to the last day that has a partition when none can be created for today', async () => {
  const { db, write, ids } = await useDays(0);
  coverIds(await readCoveredIds(db));
  await expect(write(newRowId())).rejects.toMatchObject({ code: '23514' });
  await write(newDatedId());
  await write(newDatedId());
  const written = await ids();
  expect(written).toHaveLength(2);
  for (const id of written)
    expect([id < rowIdAt(today), id > rowIdAt(daysFromNow(-0.001))]).toEqual([true, true]);
  await makeDays(db);
  const now = newDatedId();
  expect(now >= rowIdAt(today)).toBe(true);
  await write(now);
});

test('records a purchase and its event without a partition for today', async () => {
  const { testDatabase, owner, db } = await useDays(5);
  const service = await startService({ on: testDatabase });
  onTestFinished(() => service.close());
  const { backend } = await provisionFixtures(service);
  await addEndpoint(db, 'aurora', 'http://127.0.0.1:1/', ['Attribution/TransactionRecorded']);
  const { rows } = await owner.query("select name, end_id from day_partitions('webhook_event')");
  for (const { name, end_id } of rows) if (end_id > firstIdOf(0)) await owner.query(`drop table ${name}`);
  coverIds(await readCoveredIds(db));
  const sent = { key: backend, json: purchase() };
  expect((await service.call('POST', '/v1/attributions/transactions', sent)).status).toBe(200);
  const { rows: events } = await owner.query(
    "select event_id, kind, created_at > now() - interval '1 minute' as is_now from webhook_event",
  );
  expect(events).toEqual([
    { event_id: expect.any(String), kind: 'Attribution/TransactionRecorded', is_now: true },
  ]);
  expect(events[0].event_id < firstIdOf(0)).toBe(true);
});

test('drops a day between two readers without blocking writers', async () => {
  const { testDatabase, db, partitions, write, ids } = await useDays(3);
  const old = rowIdAt(daysFromNow(-10));
  await write(old);
  await write(newRowId());
  const reader = await connect(testDatabase.connection);
  await reader.query('begin; select count(*) from refused_request');
  const dropping = dropDays(db, 'refused_request', daysFromNow(5), never);
  let slowestMs = 0;
  for (let turn = 0; turn < 40; turn += 1) {
    const startedMs = performance.now();
    await write(newRowId());
    slowestMs = Math.max(slowestMs, performance.now() - startedMs);
  }
  expect(await partitions(), 'a reader uses it').toContain('before');
  await reader.query('commit');
  expect(await dropping, 'never drops today').toBe(2);
  expect((await partitions()).at(0)).toBe(named(0));
  expect(slowestMs).toBeLessThan(1_000);
  const left = await ids();
  expect([left.length, left.includes(old)]).toEqual([41, false]);
});

test('lets only the service’s role create and drop partitions, and only of tables by day', async () => {
  const { testDatabase, owner, partitions } = await useDays(3);
  const before = await partitions();
  const service = await connect(testDatabase.connection);
  await service.query(
    'create temporary table refused_request (refused_id uuid) partition by range (refused_id)',
  );
  await service.query("select drop_day_partitions('ledger_entry', 'today')");
  await expect(service.query("select make_day_partitions('ledger_entry', 14)")).rejects.toThrow(
    'no partitions',
  );
  await expect(service.query("select make_day_partitions('refused_request', 61)")).rejects.toThrow('60 days');
  await service.query("select make_day_partitions('refused_request', 4)");
  expect(await partitions()).toEqual([...before, named(3), named(4)]);
  const otherRole = `other_${process.pid}`;
  await asAdmin(`create role ${otherRole} login`);
  onTestFinished(() => asAdmin(`drop role ${otherRole}`));
  const other = new pg.Client(testDatabase.adminConnection);
  await other.connect();
  await other.query(`set role ${otherRole}`);
  for (const call of [
    "drop_day_partitions('refused_request', 'today')",
    "make_day_partitions('refused_request', 1)",
  ])
    await expect(other.query(`select ${call}`)).rejects.toMatchObject({ code: '42501' });
  await other.end();
  await owner.query('select 1');
});
