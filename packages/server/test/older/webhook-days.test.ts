import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { expect, inject, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/platform/database/database.ts';
import { makeDays } from '../../src/platform/database/days/make-days.ts';
import { prepareDatabase } from '../../src/platform/database/schema/prepare-database.ts';
import { coverIds } from '../../src/platform/dated-ids.ts';
import { newRowId, rowIdAt } from '../../src/platform/ids.ts';
import { migrateUpTo } from '../older-schema.ts';
import { inDatabase, owned } from '../template-database.ts';
import { asAdmin, connect } from '../test-database.ts';

const dayMs = 86_400_000;
const idOf = (days: number): string => rowIdAt(new Date(Date.now() + days * dayMs));

/** Opens a database created before webhooks and rejected requests had partitions. */
async function olderDatabase() {
  const admin = inject('adminConnection');
  const name = `attribution_days_${randomBytes(6).toString('hex')}`;
  await asAdmin(`create database ${name} ${owned}`);
  onTestFinished(() => asAdmin(`drop database if exists ${name} with (force)`));
  const ownerConnection = inDatabase(admin, name, 'owner');
  await migrateUpTo(ownerConnection, '0020');
  return { connection: inDatabase(admin, name), ownerConnection };
}

test('existing rows stay as they are, and new ones go into days', async () => {
  const older = await olderDatabase();
  const owner = await connect(older.ownerConnection);
  await owner.query("insert into publisher (publisher_id, name) values ('aurora', 'Aurora')");
  // One event is from a machine whose clock was 40 days ahead.
  const [old, failed, waiting, taken, ahead] = [idOf(-20), idOf(-1), newRowId(), newRowId(), idOf(40)];
  await owner.query(
    `insert into webhook_event (publisher_id, event_id, kind, created_at, event)
     select 'aurora', id, 'GroupManagement/NewMember', date_trunc('milliseconds', now()), '{}' from unnest($1::uuid[]) as e (id)`,
    [[old, failed, waiting, taken, ahead]],
  );
  await owner.query(
    `insert into webhook_delivery (publisher_id, endpoint_id, event_id, status, attempt_count, try_count, next_attempt_at, worker_id, created_at, finished_at)
     values ('aurora', 'we', $1, 'Delivered', 3, 1, now(), null, now(), now()),
            ('aurora', 'we', $2, 'Failed', 11, 11, now(), null, now(), now()),
            ('aurora', 'we', $3, 'Pending', 2, 2, '2031-01-01Z', null, now(), null),
            ('aurora', 'we', $4, 'Pending', 0, 0, now(), gen_random_uuid(), now(), null),
            ('aurora', 'we', $5, 'Pending', 0, 0, now(), null, now(), null)`,
    [old, failed, waiting, taken, ahead],
  );
  await owner.query(
    `insert into webhook_attempt (publisher_id, endpoint_id, event_id, attempt_number, started_at, duration_ms, status_code)
     values ('aurora', 'we', $1, 3, now(), 1, 200)`,
    [old],
  );
  await owner.query(
    `insert into refused_request (publisher_id, refused_id, at, key_id, method, route, status, code, message, request_id, address)
     values ('aurora', $1, now(), 'key_x', 'GET', '/v1/x', 400, 'X', '', 'x', '::1')`,
    [idOf(-3)],
  );

  expect(await prepareDatabase(older)).toContain('0025_webhook-days.sql');
  const database = openDatabase({ ...older, poolSize: 2, recordLanes: 1, applicationName: 'test' });
  onTestFinished(() => database.close());
  const { db } = database;
  const rows = async (text: string): Promise<unknown[]> =>
    (await sql.raw(text).execute(db)).rows.map((row) => Object.values(row as object).join(' '));
  expect(
    await rows(
      'select event_id, attempt_count, try_count, worker_id is null from webhook_delivery order by event_id',
    ),
  ).toEqual([`${waiting} 2 2 true`, `${taken} 0 0 false`, `${ahead} 0 0 true`]);
  expect(
    await rows("select next_attempt_at = '2031-01-01Z' from webhook_delivery where attempt_count = 2"),
  ).toEqual(['true']);
  expect(
    await rows(
      'select event_id, status, attempt_count, try_count from webhook_delivery_end order by event_id',
    ),
  ).toEqual([`${old} Delivered 3 1`, `${failed} Failed 11 11`]);
  expect(await rows('select event_id, status_code from webhook_attempt')).toEqual([`${old} 200`]);
  expect(await rows('select count(*) from webhook_event')).toEqual(['5']);
  expect(await rows('select count(*) from refused_request')).toEqual(['1']);

  onTestFinished(() => coverIds(null));
  expect(await makeDays(db), 'the migration has made them').toBe(0);
  for (const day of [0, 2, 13.5, 39, 41])
    await sql`
      insert into webhook_event (publisher_id, event_id, kind, created_at, event)
      values ('aurora', overlay(gen_random_uuid()::text placing left(${idOf(day)}, 13) from 1 for 13)::uuid,
              'GroupManagement/NewMember', date_trunc('milliseconds', now()), '{}')`
      .execute(db)
      .catch((error) => expect([day, error.code]).toEqual([41, '23514']));
});
