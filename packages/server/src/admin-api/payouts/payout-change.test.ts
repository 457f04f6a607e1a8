import { beforeAll, expect, test } from 'vitest';
import { type Asking, asRole } from '../../../test/admin.ts';
import { useMoney } from '../../../test/money.ts';

const money = useMoney();
const { service, makeGroup, earn, settle, patch } = money;
let finance: Asking;
beforeAll(async () => {
  finance = await asRole(service(), 'finance');
});

const create = (groupId: string, asOf: string, more: { currency?: string; exactly?: boolean } = {}) =>
  finance('POST', '/payouts', { groupId, asOf, ...more });
const previewed = async (group: string): Promise<string> =>
  (await finance('GET', `/payouts/preview?group=${group}`)).body.asOf;

test('an exact payout returns the members whose amounts fell, with reasons and currencies; the same request pays the rest', async () => {
  await makeGroup('moved', 'payoutMinimums: { USD: 300 },');
  const ofA = await earn('moved', 'A', 1_000);
  await earn('moved', 'A', 500);
  const ofB = await earn('moved', 'B', 250);
  await earn('moved', 'B', 100);
  await earn('moved', 'B', 70, { currency: 'EUR' });
  await settle();
  const asOf = await previewed('moved');
  await patch(ofA.transactionId, { form: { action: 'Chargeback' } });
  await patch(ofB.transactionId, { form: { action: 'Refund' } });
  await earn('moved', 'A', 30);
  await settle();
  const { status, body } = await create('moved', asOf, { exactly: true });
  expect([status, body.code]).toEqual([409, 'Conflict']);
  expect(body.message).not.toMatch(/\d{4}-\d\d-\d\dT/);
  expect(body.message).toContain('(A): 15.00 → 5.00 USD (chargeback)');
  expect(body.payoutChange).toEqual({
    cause: 'members',
    payoutId: null,
    currencies: [
      {
        currency: 'EUR',
        isChanged: false,
        onlyFell: false,
        before: { totalMinor: '70', memberCount: 1 },
        after: { totalMinor: '70', memberCount: 1 },
      },
      {
        currency: 'USD',
        isChanged: true,
        onlyFell: true,
        before: { totalMinor: '1850', memberCount: 2 },
        after: { totalMinor: '500', memberCount: 1 },
      },
    ],
    causes: expect.arrayContaining([
      { reason: 'Chargeback', count: 1 },
      { reason: 'Refund', count: 1 },
    ]),
    members: [
      {
        memberId: 'acc_moved_A',
        name: 'A',
        currency: 'USD',
        beforeMinor: '1500',
        afterMinor: '500',
        reasons: ['Chargeback'],
      },
      {
        memberId: 'acc_moved_B',
        name: 'B',
        currency: 'USD',
        beforeMinor: '350',
        afterMinor: '0',
        reasons: ['Refund', 'minimum'],
      },
    ],
    changedCount: 2,
  });
  expect((await create('moved', asOf, { currency: 'EUR', exactly: true })).body).toMatchObject({
    payouts: [{ totalMinor: '70' }],
    reductions: { count: 0, members: [] },
  });
  const paid = await create('moved', asOf);
  expect(paid).toMatchObject({
    status: 200,
    body: {
      payouts: [{ currency: 'EUR' }, { currency: 'USD', totalMinor: '500', memberCount: 1 }],
      reductions: {
        count: 2,
        totals: [{ currency: 'USD', amountMinor: '1350' }],
        members: [
          { memberId: 'acc_moved_A', previewedMinor: '1500', paidMinor: '500', reasons: ['Chargeback'] },
          { memberId: 'acc_moved_B', previewedMinor: '350', paidMinor: '0', reasons: ['Refund', 'minimum'] },
        ],
      },
    },
  });
  expect((await create('moved', asOf)).body.reductions, 'the same answer again').toEqual(
    paid.body.reductions,
  );
  const { payoutId } = paid.body.payouts[1];
  const page = await finance('GET', `/payouts/${payoutId}/reductions`);
  expect(page.body).toEqual({ rows: paid.body.reductions.members, nextCursor: null });
  expect(await create('moved', asOf, { exactly: true })).toMatchObject({
    status: 409,
    body: { payoutChange: { cause: 'payout', payoutId } },
  });
  const elsewhere = await asRole(service(), 'finance', 'rival');
  expect((await elsewhere('GET', `/payouts/${payoutId}/reductions`)).status).toBe(404);
});

test('a preview from before a change of terms is rejected with that reason', async () => {
  await makeGroup('terms');
  await earn('terms', 'A', 1_000);
  await settle();
  const asOf = await previewed('terms');
  await money.provisionGroup('terms', 'payoutMinimums: { USD: 2000 }');
  const { status, body } = await create('terms', asOf);
  expect([status, body.payoutChange]).toMatchObject([409, { cause: 'terms', currencies: [], members: [] }]);
});
