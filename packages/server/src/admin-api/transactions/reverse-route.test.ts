import { expect, test } from 'vitest';
import { asEveryRole, asRole } from '../../../test/admin.ts';
import { entriesOf } from '../../../test/audit.ts';
import { purchase } from '../../../test/fixtures.ts';
import { useMoney } from '../../../test/money.ts';
import { payElsewhere } from '../../../test/row-money.ts';

const { service, db, record, settle, makeGroup, shown, balance, expectSound } = useMoney();
const reverse = (transactionId: string): string => `/transactions/${transactionId}/reverse`;

test('only roles with the permission can reverse, and only their own publisher’s purchases', async () => {
  await record(purchase({ transactionId: 'kept' }));
  const { owner, manager, finance, support, ...others } = await asEveryRole(service());
  for (const [role, ask] of Object.entries(others))
    expect(await ask('POST', reverse('kept'), { action: 'Refund' }), role).toMatchObject({ status: 403 });
  const rival = await asRole(service(), 'owner', 'rival');
  expect(await rival('POST', reverse('kept'), { action: 'Refund' })).toMatchObject({ status: 404 });
  expect(
    await rival('POST', `/admin/v1/publishers/aurora${reverse('kept')}`, { action: 'Refund' }),
  ).toMatchObject({ status: 404 });
  expect(await shown('kept')).toMatchObject([{ status: 'Normal' }]);
  for (const [index, ask] of [owner, manager, finance, support].entries()) {
    await record(purchase({ transactionId: `by-${index}` }));
    expect(await ask('POST', reverse(`by-${index}`), { action: 'Refund' })).toMatchObject({ status: 200 });
  }
});

test('rejects anything but a reversal, and changes nothing', async () => {
  const support = await asRole(service(), 'support');
  for (const body of [
    {},
    { action: 'Normal' },
    { action: 'refund' },
    { action: 'Refund', playerId: 'x' },
    [],
  ])
    expect(await support('POST', reverse('kept'), body)).toMatchObject({
      status: 400,
      body: { code: 'InvalidInput' },
    });
  expect(await shown('kept')).toMatchObject([{ status: 'Normal' }]);
});

test('reverses every row, with the actor and the reason in the audit log', async () => {
  const support = await asRole(service(), 'support');
  await record([purchase({ transactionId: 'split' }), purchase({ transactionId: 'split', code: 'BOB' })]);
  await settle();
  const before = await balance('BOB');
  const entries = await entriesOf(db(), async () => {
    const { status, body } = await support('POST', reverse('split'), {
      action: 'Fraud',
      reason: 'stolen card',
    });
    expect(status).toBe(200);
    expect(body.rows.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['updated', 'updated']);
  });
  expect(await shown('split')).toMatchObject([{ status: 'Fraud' }, { status: 'Fraud' }]);
  expect(await balance('BOB')).toBe(before - 100n);
  expect(entries).toHaveLength(2);
  expect(entries[0]).toMatchObject({
    actor_kind: 'token',
    action: 'transaction.fraud',
    target: 'transaction:split',
    reason: 'stolen card',
  });
  expect(entries[0]?.actor_name).toMatch(/^support/);
  await expectSound();
});

test('stops at a row that was paid out, and returns 409 with the outcome of each row', async () => {
  const finance = await asRole(service(), 'finance');
  await makeGroup('stops', 'holdDays: 0,');
  const sent = ['A', 'B', 'A'].map((member) =>
    purchase({
      transactionId: 'three',
      code: `M-${member}`,
      subtotal: 1_000,
      memberSharePercent: 100,
      transactionDate: '2024-05-01T12:00:00.000Z',
    }),
  );
  await record(sent, { query: '?groupId=stops' });
  await settle();
  const { rows } = (await finance('GET', '/transactions/three')).body;
  // The second row was paid outside the service.
  await payElsewhere(db(), rows[1].row.attributionId);
  const { status, body } = await finance('POST', reverse('three'), { action: 'Refund' });
  expect(status).toBe(409);
  expect(body).toMatchObject({ code: 'Conflict' });
  expect(body.message).toContain('Claw it back');
  expect(body.rows.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
    'updated',
    'paid-out',
    'not-reached',
  ]);
  expect(await shown('three', 'stops')).toMatchObject([
    { status: 'Refund' },
    { status: 'Normal' },
    { status: 'Normal' },
  ]);
});

test('returns 404 for an unknown purchase', async () => {
  const support = await asRole(service(), 'support');
  expect(await support('POST', reverse('nowhere'), { action: 'Refund' })).toMatchObject({
    status: 404,
    body: { code: 'NotFound' },
  });
});

test('support refunds a part of a purchase or of one of its rows, and the purchase shows it', async () => {
  const [support, viewer] = [await asRole(service(), 'support'), await asRole(service(), 'viewer')];
  const refunds = '/transactions/in-parts/refunds';
  await record([
    purchase({ transactionId: 'in-parts', subtotal: 600 }),
    purchase({ transactionId: 'in-parts', code: 'BOB', subtotal: 400 }),
  ]);
  await settle();
  const part = { refundId: 'd-1', amountMinor: '100', action: 'Refund', reason: 'one item' };
  expect(await viewer('POST', refunds, part)).toMatchObject({ status: 403 });
  for (const wrong of [{ amountMinor: '0' }, { amountMinor: '-5' }, { amountMinor: '1001' }, { row: 'x' }])
    expect(await support('POST', refunds, { ...part, ...wrong })).toMatchObject({ status: 400 });
  const [entry] = await entriesOf(db(), async () => {
    const { status, body } = await support('POST', refunds, part);
    expect([status, body.rows.map(({ amountMinor }: { amountMinor: string }) => amountMinor)]).toEqual([
      200,
      ['60', '40'],
    ]);
  });
  expect(entry).toMatchObject({ action: 'transaction.refund-part', reason: 'one item' });
  const { rows } = (await support('GET', '/transactions/in-parts')).body;
  const bob = { refundId: 'd-2', amountMinor: '360', action: 'Chargeback', row: rows[1].row.attributionId };
  expect(await support('POST', refunds, bob)).toMatchObject({ status: 200 });
  const after = (await support('GET', '/transactions/in-parts')).body.rows;
  expect(after).toMatchObject([
    {
      row: { status: 'Normal', refundedMinor: '60', reversedShareMinor: '12' },
      refunds: [{ refundId: 'd-1', amountMinor: '60' }],
    },
    {
      row: { status: 'Chargeback', refundedMinor: '400', reversedShareMinor: '40' },
      refunds: [
        { refundId: 'd-1', action: 'Refund', amountMinor: '40', shareMinor: '4' },
        { refundId: 'd-2', action: 'Chargeback', amountMinor: '360', shareMinor: '36' },
      ],
    },
  ]);
  const kinds = after[1].ledger.map(({ kind, amountMinor }: Record<string, string>) => [kind, amountMinor]);
  expect(kinds).toContainEqual(['refund', '-36']);
  await expectSound();
});

test('support reinstates a refund with a reason, and the purchase shows it', async () => {
  const [support, viewer] = [await asRole(service(), 'support'), await asRole(service(), 'viewer')];
  await record(purchase({ transactionId: 'mistaken', subtotal: 1_000 }));
  await settle();
  await support('POST', reverse('mistaken'), { action: 'Refund', reason: 'wrong one' });
  const shownRefunds = async () => (await support('GET', '/transactions/mistaken')).body.refunds;
  const [made] = await shownRefunds();
  expect(made).toMatchObject({ source: 'StatusChange', action: 'Refund', reinstatedAt: null });
  const path = `/transactions/mistaken/refunds/${made.refundId}/reinstate`;
  expect(await viewer('POST', path, { reason: 'x' })).toMatchObject({ status: 403 });
  for (const body of [{}, { reason: '' }, { reason: 'x', amountMinor: '5' }])
    expect(await support('POST', path, body)).toMatchObject({ status: 400 });
  expect(
    await support('POST', '/transactions/mistaken/refunds/other/reinstate', { reason: 'x' }),
  ).toMatchObject({
    status: 404,
  });
  const { status, body } = await support('POST', path, { reason: 'won the dispute' });
  expect([status, body.rows]).toMatchObject([200, [{ amountMinor: '1000', status: 'Normal' }]]);
  expect(await shownRefunds()).toMatchObject([
    { reinstatedFor: 'won the dispute', reinstatedAt: expect.any(String) },
  ]);
  const [{ ledger }] = (await support('GET', '/transactions/mistaken')).body.rows;
  expect(ledger.map(({ kind }: { kind: string }) => kind)).toEqual(['payment', 'refund', 'reinstatement']);
  await expectSound();
});
