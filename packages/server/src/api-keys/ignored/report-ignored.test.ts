import { describe, expect, test } from 'vitest';
import { asRole } from '../../../test/admin.ts';
import { purchase } from '../../../test/fixtures.ts';
import { startService } from '../../../test/test-service.ts';
import { transactionsPath, useTransactions } from '../../../test/transactions.ts';
import { toKeyId } from '../../platform/ids.ts';
import { saveIgnored } from './save-ignored.ts';

const { service, keys, record, get, list, patch, countRows } = useTransactions();

const warningOf = ({ headers }: { headers: Headers }) => headers.get('x-warning');
const strict = { 'x-strict': 'true' };

describe('an unknown property or parameter', () => {
  test('is reported in the answer to a create that ignored it', async () => {
    const answer = await record(purchase({ skuID: 'battle-pass' }));
    expect([answer.status, warningOf(answer)]).toEqual([200, 'unknown-property skuID']);
  });

  test('is reported with its path, once for a whole list, together with others', async () => {
    const metrics = { joindate: '2024-05-01T12:00:00Z', conversion: { lastPurchase: { when: 1 } } };
    const answer = await record([purchase({ a: 1, metrics }), purchase({ a: 2 }), purchase({ b: 1 })]);
    expect(warningOf(answer)).toBe(
      'unknown-property a, unknown-property metrics.joindate, unknown-property metrics.conversion.lastPurchase.when, unknown-property b',
    );
  });

  test('is reported for the query of a list, a read and a create', async () => {
    const sent = purchase();
    await record(sent);
    expect(warningOf(await list('statuss=refund'))).toBe('unknown-property statuss');
    expect(warningOf(await get(sent.transactionId, { query: '?fields=all' }))).toBe(
      'unknown-property fields',
    );
    expect(warningOf(await record(purchase(), { query: '?useLdCurrency=false' }))).toBe(
      'unknown-property useLdCurrency',
    );
    const ping = await service().call('GET', '/v1/attributions/ping?x=1', { key: keys().client });
    expect(warningOf(ping)).toBe('unknown-property x');
  });

  test('is reported in an answer that rejects the request for another reason', async () => {
    const refused = await record({ ...purchase({ skuID: 'x' }), description: undefined });
    expect([refused.status, warningOf(refused)]).toEqual([400, 'unknown-property skuID']);
    const missing = await get('no-such', { query: '?groupid=main' });
    expect([missing.status, warningOf(missing)]).toEqual([404, 'unknown-property groupid']);
    const form = await patch('no-such', { form: { action: 'Refund' } }, { query: '?dry=1' });
    expect(warningOf(form)).toBe('unknown-property dry');
  });

  test('is reported together with the warning about a share of 1, in one header', async () => {
    const answer = await service().call('POST', '/v1/manage/scheduled-rev-shares', {
      key: keys().backend,
      json: { revShare: 1, startDate: '2031-01-01T00:00:00Z', endDate: '2031-01-02T00:00:00Z', note: 'x' },
    });
    expect(warningOf(answer)).toBe('unknown-property note, rev-share-one-stored-as-100-percent');
  });

  test('is reported with bounded count and length, and only safe characters', async () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`x${index}`, 1]));
    const named = warningOf(await record(purchase(many)))?.split(', ');
    expect(named).toHaveLength(11);
    expect(named?.at(-1)).toBe('and 20 more');
    const hostile = { [`é, \r\nset-cookie: a=1; "${'y'.repeat(500)}`]: 1, '': 1 };
    const warning = warningOf(await record(purchase(hostile)));
    expect(warning).toMatch(/^unknown-property _+set-cookie__a_1___y+\.\.\., unknown-property \(empty\)$/);
    expect(warning?.length).toBeLessThan(150);
  });

  test('is not reported if it is known, owned by the service, or part of metadata', async () => {
    const owned = { id: 'x', memberPlayerId: 'p', memberShareAmount: 3, memberPaid: true, origin: 'api' };
    expect(warningOf(await record(purchase(owned)))).toBeNull();
    expect(warningOf(await list('groupId=main&pageSize=5&cursor='))).toBeNull();
    const generated = await service().call('POST', '/v1/manage/members', {
      key: keys().backend,
      json: { playerId: 'p-kept', playerMetadata: { displayName: 'K', guild: 'own' } },
    });
    expect([generated.status, warningOf(generated)]).toEqual([200, null]);
  });
});

describe('a strict request', () => {
  test('is rejected with the unknown name, and is not saved', async () => {
    const before = await countRows();
    const answer = await service().call('POST', transactionsPath, {
      key: keys().backend,
      headers: strict,
      json: purchase({ skuID: 'x' }),
    });
    expect([answer.status, answer.body]).toEqual([
      400,
      { message: 'skuID is unknown to this operation, and the request is strict. Correct or remove it.' },
    ]);
    const listed = await service().call('GET', `${transactionsPath}?statuss=x`, {
      key: keys().backend,
      headers: strict,
    });
    expect([listed.status, listed.body.code]).toEqual([400, 'InvalidInput']);
    expect(listed.body.message).toContain('statuss');
    expect(await countRows()).toBe(before);
  });

  test('without unknown names is answered as usual', async () => {
    const answer = await service().call('POST', transactionsPath, {
      key: keys().backend,
      headers: strict,
      json: purchase(),
    });
    expect(answer.status).toBe(200);
  });

  test('includes every request with a strict key, in every process within seconds', async () => {
    const asOwner = await asRole(service(), 'owner');
    const { body: made } = await asOwner('POST', '/keys', { name: 'strict', kind: 'secret' });
    const send = () => record(purchase({ skuID: 'x' }), { key: made.key });
    expect((await send()).status).toBe(200);
    const changed = await asOwner('PATCH', `/keys/${made.keyId}`, { strict: true });
    expect([changed.status, changed.body]).toEqual([200, { strict: true }]);
    await expect.poll(async () => (await send()).status, { timeout: 8_000, interval: 250 }).toBe(400);
    const { body: listed } = await asOwner('GET', '/keys');
    const strictOf = (keyId: string) =>
      listed.rows.find((key: { keyId: string }) => key.keyId === keyId).strict;
    expect(strictOf(made.keyId)).toBe(true);
    const { body: rotated } = await asOwner('POST', `/keys/${made.keyId}/rotate`, { overlapHours: 1 });
    expect((await record(purchase({ skuID: 'x' }), { key: rotated.key })).status).toBe(400);
    expect((await asOwner('PATCH', '/keys/key_none', { strict: true })).status).toBe(404);
    await asOwner('PATCH', `/keys/${made.keyId}`, { strict: false });
    await expect.poll(async () => (await send()).status, { timeout: 8_000, interval: 250 }).toBe(200);
  });
});

describe('the counts of ignored names', () => {
  test('are saved by key when the service stops, and shown with the key', async () => {
    const send = async (times: number): Promise<void> => {
      const other = await startService({ beside: service() });
      for (let time = 0; time < times; time += 1)
        await record(purchase({ code: 'DORA', skuID: 'x' }), { key: keys().moba, at: other });
      await list('statuss=x', { key: keys().moba, at: other });
      await other.close();
    };
    await send(3);
    await send(1);
    const asDeveloper = await asRole(service(), 'developer');
    const { body } = await asDeveloper('GET', '/keys');
    const { ignored } = body.rows.find(({ name }: { name: string }) => name === 'moba');
    expect(ignored).toEqual([
      { operation: 'createTransactions', name: 'skuID', times: 4, lastAt: expect.any(String) },
      { operation: 'listTransactions', name: 'statuss', times: 2, lastAt: expect.any(String) },
    ]);
  });

  test('include a key’s latest fifty names', async () => {
    const { db } = service().testDatabase.database;
    const keyId = toKeyId('key_many');
    for (let minute = 0; minute < 4; minute += 1)
      await saveIgnored(
        db,
        'aurora',
        Array.from({ length: 20 }, (_, index) => ({
          keyId,
          operation: 'listTransactions',
          name: `n${minute}-${index}`,
          times: 1,
        })),
        new Date(Date.UTC(2030, 0, 1, 0, minute)),
      );
    const rows = await db.selectFrom('ignored_input').select('name').where('key_id', '=', keyId).execute();
    expect(rows).toHaveLength(50);
    expect(rows.filter(({ name }) => name.startsWith('n3-'))).toHaveLength(20);
    expect(rows.filter(({ name }) => name.startsWith('n0-'))).toHaveLength(0);
  });
});
