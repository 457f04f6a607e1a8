import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { purchase } from '../../../test/fixtures.ts';
import { useTransactions } from '../../../test/transactions.ts';

const { record, get } = useTransactions();
const inMajorUnits = { query: '?groupId=moba&useLDCurrency=false' };

describe('with useLDCurrency=false, amounts are in major units', () => {
  test.each([
    ['USD', 12.34, 1_234],
    ['USD', 0.01, 1],
    ['USD', 19.99, 1_999],
    ['USD', 1.1, 110],
    ['USD', 90_071_992_547_409.9, 9_007_199_254_740_990],
    ['JPY', 1_200, 1_200],
    ['KWD', 1.234, 1_234],
    ['KWD', 0.001, 1],
    ['CLF', 0.0001, 1],
    ['BTC', 0.00000001, 1],
    ['BTC', 1e-8, 1],
    ['BTC', 21_000_000, 2_100_000_000_000_000],
    ['XAU', 3, 3],
    ['XAG', 3, 3],
    ['XDR', 3, 3],
  ])('%s %d is %d minor units', async (currency, subtotal, minor) => {
    const { status, body } = await record(purchase({ currency, subtotal }), inMajorUnits);
    expect(status).toBe(200);
    expect(body.transaction).toMatchObject({ subtotal: minor, total: minor });
  });

  test.each([
    ['USD', 0.001],
    ['USD', 1.005],
    ['USD', 0],
    ['USD', 1e20],
    ['USD', 90_071_992_547_410],
    ['JPY', 0.5],
    ['KWD', 0.0001],
    ['BTC', 1e-9],
    ['XAU', 0.5],
  ])('rejects %s %d, which is not a valid number of minor units', async (currency, subtotal) => {
    const { status, body } = await record(purchase({ currency, subtotal }), inMajorUnits);
    expect(status).toBe(400);
    expect(body).toEqual({
      message: expect.stringMatching(/^subtotal must be (an amount of|at least|at most) /),
    });
  });

  test('total and totalSpendToDate use the units of their own currencies', async () => {
    const sent = purchase({
      subtotal: 1.5,
      currency: 'USD',
      total: 1.234,
      totalCurrency: 'KWD',
      metrics: { conversion: { totalSpendToDate: { total: 700, currency: 'JPY' } } },
    });
    const { body } = await record(sent, inMajorUnits);
    expect(body.transaction).toMatchObject({ subtotal: 150, total: 1_234, totalCurrency: 'KWD' });
    expect(body.transaction.metrics.conversion.totalSpendToDate.total).toBe(700);
    const finer = { conversion: { totalSpendToDate: { total: 0.5, currency: 'JPY' } } };
    expect((await record(purchase({ metrics: finer }), inMajorUnits)).status).toBe(400);
  });
});

test.each(['?groupId=moba', '?groupId=moba&useLDCurrency=true'])(
  'takes amounts as sent with %s',
  async (query) => {
    for (const currency of ['USD', 'JPY', 'KWD', 'BTC']) {
      const { body } = await record(purchase({ currency, subtotal: 5 }), { query });
      expect(body.transaction).toMatchObject({ subtotal: 5, total: 5 });
      expect((await record(purchase({ currency, subtotal: 0.5 }), { query })).status).toBe(400);
    }
  },
);

describe('memberSharePercent', () => {
  test.each([
    [1, 1],
    [100, 100],
    [12.3456, 12.3456],
    [33.33333333, 33.3333],
    [12.34565, 12.3456],
    [12.34575, 12.3458],
    [12.345650001, 12.3457],
    [99.99995, 100],
    [99.99994, 99.9999],
  ])('rounds %d to %d: to millionths, ties to even', async (memberSharePercent, kept) => {
    const sent = purchase({ memberSharePercent });
    expect((await record(sent)).body.transaction.memberSharePercent).toBe(kept);
    expect((await get(sent.transactionId)).body[0].transaction.memberSharePercent).toBe(kept);
  });

  test('with at most four decimals is returned as it was sent', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 10_000, max: 1_000_000 }), async (millionths) => {
        const memberSharePercent = Number(`${millionths}e-4`);
        const { body } = await record(purchase({ memberSharePercent }));
        expect(body.transaction.memberSharePercent).toBe(memberSharePercent);
      }),
      { numRuns: 60 },
    );
  });
});
