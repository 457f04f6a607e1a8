import { describe, expect, test } from 'vitest';
import { purchase } from '../../../test/fixtures.ts';
import { transactionPath, transactionsPath, useTransactions } from '../../../test/transactions.ts';

const { service, keys, record, get, patch } = useTransactions();
const ask = (method: string, path: string) => service().call(method, path, { key: keys().backend });

describe('a trailing slash in a path', () => {
  test('is ignored', async () => {
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

  test('is part of the transactionId when it is percent-encoded', async () => {
    for (const id of ['a/', 'a//', '/', 'a/b/']) {
      await record(purchase({ transactionId: id }));
      const { body } = await get(id);
      expect(body[0].transaction.transactionId).toBe(id);
    }
    expect((await get('a')).status).toBe(404);
  });
});

test('accepts booleans as C# writes them', async () => {
  for (const query of ['?useLDCurrency=False', '?useLDCurrency=false']) {
    const { body } = await record(purchase({ subtotal: 12.34 }), { query });
    expect(body.transaction.subtotal).toBe(1234);
  }
  expect((await record(purchase({ subtotal: 12 }), { query: '?useLDCurrency=True' })).status).toBe(200);
  expect((await record(purchase(), { query: '?useLDCurrency=no' })).status).toBe(400);
});

test('accepts dates without seconds, and offsets without a colon or minutes', async () => {
  for (const transactionDate of ['2026-05-01T12:00Z', '2026-05-01T14:00+0200', '2026-05-01T14:00:00+02']) {
    const { body } = await record(purchase({ transactionDate }));
    expect(body.transaction.transactionDate).toBe('2026-05-01T12:00:00.000Z');
  }
});

test('treats null for an optional field as absent', async () => {
  const { body } = await record(purchase({ skuId: null, total: null, metrics: { joinDate: null } }));
  expect(body.transaction).not.toHaveProperty('skuId');
  expect(body.transaction).not.toHaveProperty('metrics');
  expect(body.transaction.total).toBe(body.transaction.subtotal);
});

test('names the property for which a PATCH is rejected', async () => {
  const { body } = await record(purchase());
  const { transactionId } = body.transaction;
  for (const sent of [{ form: { status: 'Refund' } }, { json: { status: 'Refund' } }]) {
    const answer = await patch(transactionId, sent);
    expect([answer.status, answer.body.message]).toEqual([
      400,
      'The body contains "status", which is not one of the allowed properties: action, playerId',
    ]);
  }
});
