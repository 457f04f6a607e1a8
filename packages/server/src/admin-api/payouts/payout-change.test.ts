import { beforeAll, expect, test } from 'vitest';
import { type Asking, asRole } from '../../../test/admin.ts';
import { useMoney } from '../../../test/money.ts';

const money = useMoney();
const { service, makeGroup, earn, settle, patch } = money;
let finance: Asking;
beforeAll(async () => {
  finance = await asRole(service(), 'finance');
});

const create = (groupId: string, asOf: string, currency?: string) =>
  finance('POST', '/payouts', { groupId, asOf, ...(currency !== undefined && { currency }) });
const previewed = async (group: string): Promise<string> =>
  (await finance('GET', `/payouts/preview?group=${group}`)).body.asOf;

test('an outdated preview returns the changed members, amounts, reasons and currencies; other currencies can be paid', async () => {
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
  const { status, body } = await create('moved', asOf);
  expect([status, body.code]).toEqual([409, 'Conflict']);
  expect(body.message).not.toMatch(/\d{4}-\d\d-\d\dT/);
  expect(body.message).toContain('(A): 15.00 → 5.30 USD (chargeback, new purchases)');
  expect(body.payoutChange).toEqual({
    cause: 'members',
    payoutId: null,
    currencies: [
      {
        currency: 'EUR',
        isChanged: false,
        before: { totalMinor: '70', memberCount: 1 },
        after: { totalMinor: '70', memberCount: 1 },
      },
      {
        currency: 'USD',
        isChanged: true,
        before: { totalMinor: '1850', memberCount: 2 },
        after: { totalMinor: '530', memberCount: 1 },
      },
    ],
    members: [
      {
        memberId: 'acc_moved_A',
        name: 'A',
        currency: 'USD',
        beforeMinor: '1500',
        afterMinor: '530',
        reasons: ['Chargeback', 'purchases'],
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
  expect((await create('moved', asOf, 'EUR')).body.payouts).toMatchObject([{ totalMinor: '70' }]);
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
