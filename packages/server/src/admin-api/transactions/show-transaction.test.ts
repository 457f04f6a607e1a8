import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { asRole } from '../../../test/admin.ts';
import { addEndpoint } from '../../../test/endpoints.ts';
import { purchase } from '../../../test/fixtures.ts';
import { useMoney } from '../../../test/money.ts';
import { eventKinds } from '../../webhooks/event-kinds.ts';

const { service, db, record, settle, makeGroup, earn, create, markPaid, clawBack, patch } = useMoney();

test('explains order-7 of docs/shares.md: six rules in order, the deciding rule, and the exact and rounded share', async () => {
  const text = readFileSync(new URL('../../../../../docs/shares.md', import.meta.url), 'utf8');
  const [, program = ''] = /```yaml\n([\s\S]*?)```/.exec(text) ?? [];
  const keys = await service().provision(program);
  expect(parse(program).publisher.id).toBe('example');
  const { key } = keys[0] ?? { key: '' };
  const sent = purchase({
    transactionId: 'order-7',
    code: 'GOLD',
    skuId: 'battle-pass',
    memberSharePercent: 50,
    transactionDate: '2026-06-15T12:00:00.000Z',
  });
  expect(await record(sent, { key })).toMatchObject({ status: 200 });
  await settle();
  const finance = await asRole(service(), 'finance', 'example');
  const { status, body } = await finance('GET', '/transactions/order-7');
  expect(status).toBe(200);
  expect(body.rows).toHaveLength(1);
  const { explanation, state, ledger, payment } = body.rows[0];
  expect(state).toBe('posted');
  expect(explanation).toMatchObject({
    rule: 'sent',
    percent: 50,
    subtotalMinor: '999',
    exact: '499.5',
    shareMinor: '500',
    currency: 'USD',
  });
  const offers = explanation.offers.map(({ rule, percent, sourceName }: Record<string, unknown>) => [
    rule,
    percent,
    sourceName,
  ]);
  expect(offers).toEqual([
    ['sent', 50, null],
    ['sku', 5, null],
    ['scheduled-tier', 30, '2026-06-01T00:00:00.000Z – 2026-07-01T00:00:00.000Z'],
    ['scheduled-group', 12.5, '2026-06-01T00:00:00.000Z – 2026-07-01T00:00:00.000Z'],
    ['tier', 20, 'Gold'],
    ['group', 10, 'main'],
  ]);
  expect(explanation.offers[1].sourceId).toBe('battle-pass');
  expect(payment).toBeNull();
  expect(ledger).toMatchObject([{ kind: 'payment', amountMinor: '500', isOfRowAlone: false }]);
});

test('shows unposted rows as waiting, and test purchases without money', async () => {
  const viewer = await asRole(service(), 'viewer');
  await record([
    purchase({ transactionId: 'waits', playerId: 'buyer' }),
    purchase({ transactionId: 'waits', code: 'BOB' }),
  ]);
  const { body } = await viewer('GET', '/transactions/waits');
  expect(body.rows.map(({ state }: { state: string }) => state)).toEqual(['waiting', 'waiting']);
  expect(body.rows[0]).toMatchObject({ row: { shareMinor: null, playerId: null }, ledger: [], refunds: [] });
  expect(body.rows.map(({ row }: { row: { splitIndex: number } }) => row.splitIndex)).toEqual([0, 1]);
  await record(purchase({ transactionId: 'tried', status: 'Test' }));
  await settle();
  const tried = await viewer('GET', '/transactions/tried');
  expect(tried.body.rows[0]).toMatchObject({ state: 'test', row: { shareMinor: null }, ledger: [] });
  expect((await viewer('GET', '/transactions/waits')).body.rows[0]).toMatchObject({ state: 'posted' });
});

test('shows a row’s payout, payment and clawback', async () => {
  const finance = await asRole(service(), 'finance');
  await makeGroup('followed', 'holdDays: 0,');
  const { transactionId, id } = await earn('followed', 'A', 4_000);
  await settle();
  const [batch] = await create('followed');
  if (batch === undefined) throw new Error('there was nothing to pay');
  const inPayout = await finance('GET', `/transactions/${transactionId}`);
  expect(inPayout.body.rows[0].payment).toMatchObject({
    payout: { payoutId: batch.batchId, status: 'Created', paidAt: null },
    paidAt: null,
  });
  await markPaid(batch.batchId);
  await clawBack(id, 'Chargeback');
  const { body } = await finance('GET', `/transactions/${transactionId}`);
  expect(body.rows[0]).toMatchObject({
    row: { status: 'Chargeback', isPaid: true },
    payment: { payout: { status: 'Paid' } },
    ledger: [
      { kind: 'payment', amountMinor: '4000', isOfRowAlone: false },
      { kind: 'adjustment', amountMinor: '-4000', isOfRowAlone: true },
    ],
  });
  expect(body.rows[0].payment.reversedAt).not.toBeNull();
});

test('lists the webhook events about each row', async () => {
  const developer = await asRole(service(), 'developer');
  const { endpointId } = await addEndpoint(db(), 'aurora', 'http://127.0.0.1:1/', eventKinds);
  await record(purchase({ transactionId: 'notified' }));
  await patch('notified', { json: { action: 'Refund' } });
  const { status, body } = await developer('GET', '/transactions/notified/events');
  expect(status).toBe(200);
  expect(body.events.map(({ kind }: { kind: string }) => kind)).toEqual([
    'Attribution/TransactionRecorded',
    'Attribution/TransactionStatusChanged',
  ]);
  expect(body.events[0].deliveries).toMatchObject([{ endpointId, status: 'Pending' }]);
});

test('returns 404 for an unknown purchase with any id', async () => {
  const viewer = await asRole(service(), 'viewer');
  for (const id of ['nowhere', '662E41', '%20', 'a%2Fb'])
    expect(await viewer('GET', `/transactions/${id}`)).toMatchObject({
      status: 404,
      body: { code: 'NotFound' },
    });
});
