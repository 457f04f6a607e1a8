import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { asRole } from '../../../test/admin.ts';
import { purchase } from '../../../test/fixtures.ts';
import { startService, type TestService } from '../../../test/test-service.ts';
import { transactionsPath, useTransactions } from '../../../test/transactions.ts';
import { purgeCounts } from '../../api-keys/counted/purge-counts.ts';
import { createRequestCounts } from '../../api-keys/counted/request-counts.ts';
import { newKey } from '../../api-keys/key-format.ts';
import { revokeKey } from '../../api-keys/revoke-key.ts';
import { toKeyId } from '../../platform/ids.ts';

const hourMs = 3_600_000;
// In the past, because the operator tokens expire an hour from now.
let nowMs = Date.now() - 100 * hourMs;
const clock = { now: () => new Date(nowMs) };
const { service, keys, record, get, list } = useTransactions({ clock });
const db = () => service().testDatabase.database.db;

interface Sum {
  keyName: string;
  method: string;
  route: string;
  accepted: number;
  rejected: number;
  errors: { status: number; code: string; count: number }[];
  lastAt: string;
}

const create = 'POST /v1/attributions/transactions';
const read = 'GET /v1/attributions/transactions/{transactionId}';
const ping = 'GET /v1/attributions/ping';

async function sumsOf(publisherId = 'aurora', query = '?hours=1') {
  const ask = await asRole(service(), 'developer', publisherId);
  const answer = await ask('GET', `/requests/sums${query}`);
  expect(answer.status).toBe(200);
  const { from, rows } = answer.body as { from: string; rows: Sum[] };
  return {
    from,
    rows,
    of: (keyName: string, operation: string): Partial<Sum> =>
      rows.find((row) => row.keyName === keyName && `${row.method} ${row.route}` === operation) ?? {},
  };
}

/** Starts a new hour far from those of other tests, so that only this test's requests are counted. */
function startHour(): void {
  nowMs = (Math.floor(nowMs / hourMs) + 3) * hourMs + 60_000;
}

test('requests are summed up by key, operation and result at once', async () => {
  startHour();
  const known = purchase();
  await record(known);
  await record(purchase());
  await record(known);
  await record({ ...purchase(), code: 'NOBODY' });
  await record({ ...purchase(), code: 'NOBODY' });
  await get(known.transactionId);
  await get('no-such');
  await list('cursor=broken');
  await service().call('GET', '/v1/attributions/ping', { key: keys().client });
  const { from, rows, of } = await sumsOf();
  expect(rows).toHaveLength(4);
  expect(of('backend', create)).toMatchObject({
    accepted: 2,
    rejected: 3,
    errors: [
      { status: 400, code: 'InvalidInput', count: 2 },
      { status: 409, code: 'Conflict', count: 1 },
    ],
    lastAt: clock.now().toISOString(),
  });
  expect(rows[0], 'most rejected requests first').toEqual(of('backend', create));
  expect(of('backend', read)).toMatchObject({
    accepted: 1,
    rejected: 1,
    errors: [{ status: 404, code: 'NotFound', count: 1 }],
  });
  expect(of('backend', 'GET /v1/attributions/transactions').errors).toEqual([
    { status: 400, code: 'InvalidCursor', count: 1 },
  ]);
  expect(of('client', ping)).toMatchObject({ accepted: 1, rejected: 0, errors: [] });
  expect(new Date(from).getTime()).toBe(Math.floor(nowMs / hourMs) * hourMs - hourMs);
  await record(purchase());
  expect((await sumsOf()).of('backend', create)).toMatchObject({ accepted: 3, rejected: 3 });
});

test('requests rejected because of their key are counted for the key’s publisher', async () => {
  startHour();
  await record(purchase(), { key: keys().client });
  const { rows } = await sql<{ key_id: string }>`
    select key_id from api_key where publisher_id = 'aurora' and name = 'moba'`.execute(db());
  const keyId = toKeyId(rows[0]?.key_id ?? '');
  await revokeKey(
    db(),
    { kind: 'command', id: 'x', name: 'x' },
    { publisherId: 'aurora', keyId },
    new Date(),
  );
  const beside = await startService({
    beside: service(),
    clock,
    environment: { REQUESTS_PER_SECOND_PER_KEY: '2' },
  });
  const pings = (key: string | null, count: number) =>
    Promise.all(Array.from({ length: count }, () => beside.call('GET', '/v1/attributions/ping', { key })));
  await pings(keys().moba, 3);
  await pings(keys().backend, 5);
  await pings(newKey('secret'), 1);
  await pings('not a key', 1);
  await pings(null, 1);
  expect((await sumsOf()).of('backend', ping), 'not saved by the other process yet').toEqual({});
  await beside.close();
  const { of, rows: sums } = await sumsOf();
  expect(sums).toHaveLength(3);
  expect(of('client', create).errors).toEqual([{ status: 403, code: 'Forbidden', count: 1 }]);
  expect(of('moba', ping)).toMatchObject({
    accepted: 0,
    errors: [{ status: 401, code: 'Unauthorized', count: 3 }],
  });
  expect(of('backend', ping)).toMatchObject({
    accepted: 2,
    rejected: 3,
    errors: [{ status: 429, code: 'RateLimited', count: 3 }],
  });
});

test('another publisher sees only its own requests', async () => {
  startHour();
  await record(purchase());
  expect((await sumsOf('rival')).rows).toEqual([]);
  await service().call('GET', '/v1/attributions/ping', { key: keys().rival });
  const { rows } = await sumsOf('rival');
  expect(rows.map(({ route }) => route)).toEqual(['/v1/attributions/ping']);
  const ask = await asRole(service(), 'developer', 'rival');
  expect((await ask('GET', '/admin/v1/publishers/aurora/requests/sums')).status).toBe(404);
});

test('sums include the hours of the range, and several processes add to them', async () => {
  startHour();
  const other = await startService({ beside: service(), clock });
  const send = (at: TestService) => at.call('GET', '/v1/attributions/ping', { key: keys().backend });
  await Promise.all([send(service()), send(other), send(other)]);
  await other.close();
  expect((await sumsOf()).of('backend', ping).accepted).toBe(3);
  nowMs += 2 * hourMs;
  await send(service());
  expect((await sumsOf()).of('backend', ping).accepted).toBe(1);
  expect((await sumsOf('aurora', '?hours=2')).of('backend', ping).accepted).toBe(4);
});

test('many stored counts are added up at most twice a minute, and few are always current', async () => {
  startHour();
  const fill = (from: number, until: number) =>
    sql`
      insert into request_count
      select 'rival', ${clock.now()}::timestamptz, 'key_heavy', 'GET', '/v1/heavy/' || n % 200, 400, 'Code' || n, 1, now()
      from generate_series(${from}::int, ${until}::int) n`.execute(db());
  const counted = async () =>
    (await sumsOf('rival')).rows
      .filter(({ route }) => route.startsWith('/v1/heavy/'))
      .reduce((sum, { rejected }) => sum + rejected, 0);
  await fill(1, 4_000);
  expect(await counted()).toBe(4_000);
  await fill(4_001, 6_000);
  expect(await counted(), 'few counts are not cached').toBe(6_000);
  await fill(6_001, 6_100);
  expect(await counted(), 'from the cache').toBe(6_000);
  expect((await sumsOf('aurora')).rows.filter(({ route }) => route.startsWith('/v1/heavy/'))).toEqual([]);
});

test.each(['?hours=0', '?hours=169', '?hours=1.5', '?hours=all', '?days=1'])(
  'the range %s is rejected',
  async (query) => {
    const ask = await asRole(service(), 'developer');
    expect(await ask('GET', `/requests/sums${query}`)).toMatchObject({
      status: 400,
      body: { code: 'InvalidInput' },
    });
  },
);

test('rejected requests are filtered by operation', async () => {
  await record({ ...purchase(), code: 'FILTERED' });
  await get('none-such');
  const ask = await asRole(service(), 'developer');
  const grouped = (operation: string) =>
    ask('GET', `/requests/grouped?operation=${encodeURIComponent(operation)}`);
  await expect.poll(async () => (await grouped(read)).body.rows.length).toBeGreaterThan(0);
  for (const { method, route } of (await grouped(read)).body.rows) expect(`${method} ${route}`).toBe(read);
  const { body } = await ask('GET', `/requests?operation=${encodeURIComponent(create)}`);
  expect(new Set(body.rows.map(({ route }: Sum) => route))).toEqual(new Set([transactionsPath]));
  expect((await grouped('POST /nowhere')).body.rows).toEqual([]);
});

test('a process counts a limited number of combinations, and drops counts that can’t be saved', async () => {
  startHour();
  const errors: unknown[] = [];
  const counts = createRequestCounts(db(), clock.now, (error) => errors.push(error));
  const key = {
    kind: 'key',
    keyId: toKeyId('key_many'),
    name: 'many',
    keyKind: 'secret',
    publisherId: 'rival',
    groupId: null,
    isStrict: false,
  } as const;
  const operations = Array.from({ length: 600 }, (_, index) => ({ method: 'GET', route: `/v1/${index}` }));
  for (let each = 0; each < 3; each += 1)
    for (const operation of operations) counts.note(key, operation, 200, '');
  await counts.flush();
  const stored = await db()
    .selectFrom('request_count')
    .select('times')
    .where('publisher_id', '=', 'rival')
    .where('key_id', '=', key.keyId)
    .execute();
  expect(stored).toHaveLength(500);
  expect(new Set(stored.map(({ times }) => times))).toEqual(new Set([3n]));
  counts.note({ ...key, publisherId: 'nobody' }, { method: 'GET', route: '/v1/x' }, 200, '');
  await counts.flush();
  expect(errors).toHaveLength(1);
  await counts.flush();
  expect(errors, 'the counts were dropped').toHaveLength(1);
});

test('sums older than seven days, and the oldest above the limit, are deleted', async () => {
  const hours = async (): Promise<number[]> => {
    const { rows } = await sql<{ ago: number }>`
      select (extract(epoch from ${now}::timestamptz - hour) / 3600)::int as ago
      from request_count
      where publisher_id = 'rival'
      order by hour`.execute(db());
    return rows.map(({ ago }) => ago);
  };
  const now = new Date(Math.floor(nowMs / hourMs) * hourMs);
  await sql`delete from request_count where publisher_id = 'rival'`.execute(db());
  await sql`
    insert into request_count (publisher_id, hour, key_id, method, route, status, code, times, last_at)
    select 'rival', ${now}::timestamptz - make_interval(hours => ago), 'key_x', 'GET', '/v1/x', 200, '', 1, now()
    from unnest(array[0, 1, 2, 168, 169, 400]) ago`.execute(db());
  const stopping = new AbortController().signal;
  await purgeCounts(db(), now, stopping);
  expect(await hours()).toEqual([168, 2, 1, 0]);
  await purgeCounts(db(), now, stopping, 2);
  expect(await hours()).toEqual([1, 0]);
});
