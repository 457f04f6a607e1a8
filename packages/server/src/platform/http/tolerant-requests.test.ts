import { describe, expect, test } from 'vitest';
import { purchase } from '../../../test/fixtures.ts';
import { transactionPath, transactionsPath, useTransactions } from '../../../test/transactions.ts';

const { service, keys, record, get, patch } = useTransactions();
const ask = (method: string, path: string) => service().call(method, path, { key: keys().backend });

describe('a slash at the end of an address', () => {
  test('changes nothing', async () => {
    await record(purchase({ transactionId: 'slashed' }));
    for (const path of [
      '/v1/attributions/ping',
      '/v1/manage/groups',
      '/v1/manage/members',
      '/v1/manage/members/ALICE',
      '/v1/bounties',
      transactionsPath,
      transactionPath('slashed'),
      '/healthz',
    ]) {
      const plain = await ask('GET', path);
      expect([path, plain.status]).toEqual([path, 200]);
      for (const slashed of [`${path}/`, `${path}/?page=&pageSize=`]) {
        const { status, text } = await ask('GET', slashed);
        expect([slashed, status, text]).toEqual([slashed, 200, plain.text]);
      }
    }
  });

  test('and is part of a transactionId that has one, percent-encoded', async () => {
    for (const id of ['a/', 'a//', '/', 'a/b/']) {
      await record(purchase({ transactionId: id }));
      const { body } = await get(id);
      expect(body[0].transaction.transactionId).toBe(id);
    }
    expect((await get('a')).status).toBe(404);
  });
});

test('booleans may be written as C# writes them', async () => {
  for (const query of ['?useLDCurrency=False', '?useLDCurrency=false']) {
    const { body } = await record(purchase({ subtotal: 12.34 }), { query });
    expect(body.transaction.subtotal).toBe(1234);
  }
  expect((await record(purchase({ subtotal: 12 }), { query: '?useLDCurrency=True' })).status).toBe(200);
  expect((await record(purchase(), { query: '?useLDCurrency=no' })).status).toBe(400);
});

test('dates may leave out seconds, and the colon or the minutes of their offset', async () => {
  for (const transactionDate of ['2026-05-01T12:00Z', '2026-05-01T14:00+0200', '2026-05-01T14:00:00+02']) {
    const { body } = await record(purchase({ transactionDate }));
    expect(body.transaction.transactionDate).toBe('2026-05-01T12:00:00.000Z');
  }
});

test('null for an optional field is kept as if it were not there', async () => {
  const { body } = await record(purchase({ skuId: null, total: null, metrics: { joinDate: null } }));
  expect(body.transaction).not.toHaveProperty('skuId');
  expect(body.transaction).not.toHaveProperty('metrics');
  expect(body.transaction.total).toBe(body.transaction.subtotal);
});

test('a PATCH that is refused for a property names it', async () => {
  const { body } = await record(purchase());
  const { transactionId } = body.transaction;
  for (const sent of [{ form: { status: 'Refund' } }, { json: { status: 'Refund' } }]) {
    const answer = await patch(transactionId, sent);
    expect([answer.status, answer.body.message]).toEqual([
      400,
      'The body has "status", which is not one of the allowed properties: action, playerId',
    ]);
  }
});
