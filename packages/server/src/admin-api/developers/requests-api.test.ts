import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { asRole } from '../../../test/admin.ts';
import { until } from '../../../test/attribution-process.ts';
import { purchase } from '../../../test/fixtures.ts';
import { useManagement } from '../../../test/management.ts';
import { purgeRefused } from '../../api-keys/refused/purge-refused.ts';
import { revokeKey } from '../../api-keys/revoke-key.ts';
import { newRowId, rowIdAt, toKeyId } from '../../platform/ids.ts';

let nowMs = Date.now();
const clock = {
  now: () => new Date(nowMs),
  move: (ms: number) => {
    nowMs += ms;
  },
};
const { service, keys, record } = useManagement({ clock });
const db = () => service().testDatabase.database.db;

interface Row {
  refusedId: string;
  code: string;
}

/** Waits until the rejected request is stored, and returns it. */
const refusedAs = (requestId: string, publisherId = 'aurora'): Promise<Row & Record<string, unknown>> =>
  until('the refusal', async () => {
    const ask = await asRole(service(), 'developer', publisherId);
    return (await ask('GET', `/requests?requestId=${requestId}`)).body.rows[0];
  });

test('a rejected request is shown with its error, and with only the code from its body', async () => {
  const body = { ...purchase(), code: 'UNKNOWN', playerId: 'a-buyer-of-ours' };
  const refused = await record(body);
  expect(refused.status).toBe(400);
  const shown = await refusedAs(refused.headers.get('x-request-id') ?? '');
  expect(shown).toMatchObject({
    method: 'POST',
    route: '/v1/attributions/transactions',
    status: 400,
    code: 'InvalidInput',
    message: expect.stringContaining('not the code of an approved member'),
    keyName: 'backend',
    address: '127.0.0.1',
  });
  const { rows } = await sql<{ text: string }>`select r::text as text from refused_request r`.execute(db());
  for (const { text } of rows) {
    expect(text).not.toContain('a-buyer-of-ours');
    expect(text).not.toContain(body.transactionId);
    expect(text).not.toContain(keys().backend);
  }
  const ask = await asRole(service(), 'developer');
  expect((await ask('GET', `/requests/${shown.refusedId}`)).body).toEqual(shown);
});

test('the creator code of a rejected request is stored; for a list, the code of the rejected entry', async () => {
  const sent = async (refused: { headers: Headers }) => {
    const { sentCode, groupId } = await refusedAs(refused.headers.get('x-request-id') ?? '');
    return [sentCode, groupId];
  };
  const entries = (...codes: string[]) => codes.map((code) => purchase({ code }));
  expect(await sent(await record(purchase({ code: 'Never-Heard' })))).toEqual(['Never-Heard', 'main']);
  expect(await sent(await record(entries('ALICE', 'ALICE', 'third-one', 'fourth')))).toEqual([
    'third-one',
    'main',
  ]);
  expect(await sent(await record(entries('alone-in-a-list')))).toEqual(['alone-in-a-list', 'main']);
  // The schema rejects the entry before its group is looked up.
  const [good, wrong] = entries('ALICE', 'with-a-wrong-amount');
  expect(await sent(await record([good, { ...wrong, subtotal: 'many' }]))).toEqual([
    'with-a-wrong-amount',
    null,
  ]);
  const lookUp = (path: string) => service().call('GET', path, { key: keys().backend });
  expect(await sent(await lookUp('/v1/manage/members/looked-up?groupId=moba'))).toEqual([
    'looked-up',
    'moba',
  ]);
  expect(await sent(await lookUp('/v1/attributions/transactions/none'))).toEqual([null, null]);
  const event = { eventId: 'e', eventCode: 'level', playerId: 'p', code: 'of-an-event' };
  const rejected = await service().call('POST', '/v1/events', { key: keys().backend, json: event });
  expect(await sent(rejected)).toEqual(['of-an-event', 'main']);
});

test.each([
  ['a long code is cut', 'x'.repeat(300), null],
  ['255 characters are stored whole', 'y'.repeat(255), 'y'.repeat(255)],
  ['control characters are replaced', 'a\u001b[31m\nb\u202ec', 'a\ufffd[31m\ufffdb\ufffdc'],
  ['half of a surrogate pair is replaced', 'half\ud83d', 'half\ufffd'],
  ['an empty code is not stored', '', null],
  ['a number is not stored', 7, null],
  ['an object is not stored', { deep: 'secret' }, null],
])('a code is stored as it can be shown: %s', async (_what, code, stored) => {
  const refused = await record({ ...purchase(), code });
  const { sentCode } = await refusedAs(refused.headers.get('x-request-id') ?? '');
  expect(sentCode).toEqual(typeof code === 'string' && code.length === 300 ? 'x'.repeat(255) : stored);
});

test('similar rejected requests are grouped with their count, first and last time', async () => {
  for (const code of ['GROUPED', 'grouped', 'GROUPED']) await record(purchase({ code }));
  await record([purchase(), purchase({ code: 'GROUPED' })]);
  const last = await record(purchase({ code: 'other-one' }));
  const { at } = await refusedAs(last.headers.get('x-request-id') ?? '');
  const ask = await asRole(service(), 'developer');
  const { body } = await ask('GET', '/requests/grouped?sentCode=gRouped');
  expect(body.rows).toMatchObject([
    { count: 4, sentCode: 'GROUPED', code: 'InvalidInput', keyName: 'backend' },
  ]);
  const [group] = body.rows;
  const { body: each } = await ask('GET', '/requests?sentCode=grouped');
  expect(each.rows.map((row: Row) => row.refusedId)[0]).toBe(group.refusedId);
  expect(each.rows.map(({ at }: { at: string }) => at)).toHaveLength(4);
  expect([group.firstAt, group.at]).toEqual([each.rows[3].at, each.rows[0].at]);
  const all = await ask('GET', '/requests/grouped');
  expect(all.body.rows[0]).toMatchObject({ sentCode: 'other-one', count: 1, firstAt: at });
  const rival = await asRole(service(), 'developer', 'rival');
  expect((await rival('GET', '/requests/grouped?sentCode=grouped')).body.rows).toEqual([]);
});

test('a flood of one unknown code does not crowd out another code', async () => {
  clock.move(900_000);
  await Promise.all(Array.from({ length: 100 }, () => record(purchase({ code: 'FLOOD' }))));
  const other = await record(purchase({ code: 'quiet' }));
  expect(await refusedAs(other.headers.get('x-request-id') ?? '')).toMatchObject({ sentCode: 'quiet' });
});

test('the path of a request is stored as a template', async () => {
  const refused = await service().call('GET', '/v1/attributions/transactions/order-of-a-buyer', {
    key: keys().backend,
  });
  const shown = await refusedAs(refused.headers.get('x-request-id') ?? '');
  expect(shown).toMatchObject({ route: '/v1/attributions/transactions/{transactionId}', status: 404 });
});

test("requests with a public or revoked key are shown only to the key's publisher", async () => {
  const publicOne = await record(purchase(), { key: keys().client });
  expect(await refusedAs(publicOne.headers.get('x-request-id') ?? '')).toMatchObject({
    code: 'Forbidden',
    keyName: 'client',
  });
  const { rows } = await sql<{ key_id: string }>`
    select key_id from api_key where publisher_id = 'rival'`.execute(db());
  const keyId = toKeyId(rows[0]?.key_id ?? '');
  await revokeKey(db(), { kind: 'command', id: 'x', name: 'x' }, { publisherId: 'rival', keyId }, new Date());
  const revoked = await service().call('GET', '/v1/attributions/ping', { key: keys().rival });
  expect(revoked.status).toBe(401);
  expect(await refusedAs(revoked.headers.get('x-request-id') ?? '', 'rival')).toMatchObject({
    code: 'Unauthorized',
    keyId,
  });
  const ask = await asRole(service(), 'developer');
  expect((await ask('GET', `/requests?requestId=${revoked.headers.get('x-request-id')}`)).body.rows).toEqual(
    [],
  );
});

test('requests are filtered by key and error code, paged, and hidden from other publishers', async () => {
  await sql`
    insert into refused_request (publisher_id, refused_id, at, key_id, method, route, status, code, message, request_id, address)
    select 'aurora', overlay(gen_random_uuid()::text placing left(${newRowId()}, 13) from 1 for 13)::uuid, now(), 'key_old', 'GET', '/v1/x', 404, 'NotFound', 'none', 'many', '::1'
    from generate_series(1, 70)`.execute(db());
  const ask = await asRole(service(), 'developer');
  const first = await ask('GET', '/requests?keyId=key_old&code=NotFound');
  expect(first.body.rows).toHaveLength(50);
  expect(first.body.rows[0]).toMatchObject({ keyName: null });
  const rest = await ask('GET', `/requests?keyId=key_old&code=NotFound&cursor=${first.body.nextCursor}`);
  expect(rest.body.rows).toHaveLength(20);
  expect(await ask('GET', `/requests?keyId=key_old&cursor=${first.body.nextCursor}`)).toMatchObject({
    status: 400,
    body: { code: 'InvalidCursor' },
  });
  const rival = await asRole(service(), 'developer', 'rival');
  expect(await rival('GET', `/requests/${first.body.rows[0].refusedId}`)).toMatchObject({ status: 404 });
  expect(await ask('GET', '/requests/none')).toMatchObject({ status: 404 });
});

test('a flood of bad requests is sampled, and requests with other error codes are still stored', async () => {
  const count = async (): Promise<number> => {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from refused_request where code = 'InvalidInput'`.execute(db());
    return rows[0]?.n ?? 0;
  };
  clock.move(900_000);
  const before = await count();
  await Promise.all(Array.from({ length: 300 }, () => record({ nothing: true })));
  const other = await record(purchase(), { key: keys().client });
  await refusedAs(other.headers.get('x-request-id') ?? '');
  expect((await count()) - before).toBeGreaterThan(10);
  expect((await count()) - before).toBeLessThan(25);
});

test('days older than a week are dropped, and the oldest requests above the limit are deleted', async () => {
  const remaining = async (): Promise<string[]> => {
    const { rows } = await sql<{ message: string }>`
      select message from refused_request where publisher_id = 'rival' and code = 'Purged' order by refused_id`.execute(
      db(),
    );
    return rows.map(({ message }) => message);
  };
  const now = new Date();
  const dayMs = 86_400_000;
  for (const [agoMs, message] of [
    [2 * dayMs, 'old'],
    [2, 'first'],
    [1, 'second'],
    [0, 'third'],
  ] as const) {
    const at = new Date(now.getTime() - agoMs);
    await sql`
      insert into refused_request (publisher_id, refused_id, at, key_id, method, route, status, code, message, request_id, address)
      values ('rival', ${rowIdAt(at)}::uuid, ${at}, 'key_x', 'GET', '/v1/x', 400, 'Purged', ${message}, 'x', '::1')`.execute(
      db(),
    );
  }
  const stopping = new AbortController().signal;
  await purgeRefused(db(), now, stopping);
  expect(await remaining()).toEqual(['old', 'first', 'second', 'third']);
  // Even with a clock a month ahead, today's requests are not dropped.
  await purgeRefused(db(), new Date(now.getTime() + 30 * dayMs), stopping);
  expect(await remaining()).toEqual(['first', 'second', 'third']);
  // With a limit of three, the purge deletes the revoked key's request, which was recorded earlier today.
  await purgeRefused(db(), now, stopping, 3);
  expect(await remaining()).toEqual(['first', 'second', 'third']);
  await purgeRefused(db(), now, stopping, 1);
  expect(await remaining()).toEqual(['third']);
});
