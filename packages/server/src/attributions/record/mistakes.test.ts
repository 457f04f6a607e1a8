import { expect, test } from 'vitest';
import { purchase } from '../../../test/fixtures.ts';
import { useTransactions } from '../../../test/transactions.ts';

const { service, keys, record, list, countRows } = useTransactions();

const messageOf = async (json: unknown, query = ''): Promise<string> => {
  const before = await countRows();
  const { status, body } = await record(json, { query });
  expect([status, Object.keys(body), await countRows()]).toEqual([400, ['message'], before]);
  return body.message;
};

test.each([
  [{ subtotal: -1 }, '', 'subtotal must be at least 1'],
  [{ subtotal: 0 }, '', 'subtotal must be at least 1'],
  [{ subtotal: 2 ** 53 }, '', 'subtotal must be at most 9007199254740991'],
  [{ subtotal: 1.5 }, '', 'subtotal must be a whole number of minor units from 1 to 9007199254740991'],
  [{ total: -1 }, '', 'total must be at least 0'],
  [{ subtotal: -0.01 }, '?useLDCurrency=false', 'subtotal must be at least 0.01 USD'],
  [
    { subtotal: 0.001 },
    '?useLDCurrency=false',
    'subtotal must be an amount of USD with at most 2 decimal places',
  ],
  [
    { subtotal: 9.999 },
    '?useLDCurrency=false',
    'subtotal must be an amount of USD with at most 2 decimal places',
  ],
  [{ subtotal: 1e15 }, '?useLDCurrency=false', 'subtotal must be at most 90071992547409.91 USD'],
  [{ memberSharePercent: 0 }, '', 'memberSharePercent must be at least 1'],
  [{ memberSharePercent: 101 }, '', 'memberSharePercent must be at most 100'],
])('%o %s names the bound of a number', async (changes, query, message) => {
  expect(await messageOf(purchase(changes), query)).toBe(message);
});

test.each([
  ['pageSize=-1', 'pageSize must be at least 1'],
  ['pageSize=12345678901', 'pageSize must be at most 1000'],
  ['page=0', 'page must be at least 1'],
])('%s names the bound of a query parameter', async (query, message) => {
  expect((await list(query)).body.message).toBe(message);
});

test('lists all mistakes of one purchase at once', async () => {
  const sent = purchase({
    subtotal: -1,
    currency: 'EURO',
    description: undefined,
    platform: null,
    total: 'x',
  });
  expect(
    (await messageOf({ ...sent, subtotal: -1, currency: 'USD', transactionDate: 'soon' })).split('; '),
  ).toEqual([
    'description is required',
    'total must be a number',
    'transactionDate must be a timestamp such as 2024-05-01T12:00:00Z, with Z or an offset, from 1970 to 2100',
    'subtotal must be at least 1',
  ]);
});

test('checks an amount even if its currency is unknown', async () => {
  expect(await messageOf(purchase({ subtotal: -1, total: -1, currency: 'EURO', totalCurrency: 7 }))).toBe(
    'currency is not an allowed value. The API reference at /docs lists all values; totalCurrency must be a string; ' +
      'subtotal must be at least 1; total must be at least 0',
  );
  expect(await messageOf(purchase({ subtotal: -1, currency: 'EURO' }), '?useLDCurrency=false')).toBe(
    'currency is not an allowed value. The API reference at /docs lists all values',
  );
});

test('lists all mistakes of a list with their entries', async () => {
  const message = await messageOf([
    purchase({ subtotal: 0 }),
    purchase(),
    7,
    purchase({ description: 3, metrics: { conversion: {} } }),
  ]);
  expect(message.split('; ')).toEqual([
    '[0].subtotal must be at least 1',
    '[2] must be an object',
    '[3].description must be a string',
    '[3].metrics.conversion requires lastPurchase or lastPurchaseDate or totalSpendToDate',
  ]);
});

test('lists all unknown codes and disabled currencies of a list', async () => {
  const message = await messageOf([
    purchase({ code: 'UNKNOWN' }),
    purchase(),
    purchase({ currency: 'BTC' }),
    purchase({ code: 'NONE' }),
  ]);
  expect(message.split('; ')).toEqual([
    '[0].code is not the code of an approved member of the creator group.',
    '[2].currency BTC is disabled by the creator group.',
    '[3].code is not the code of an approved member of the creator group.',
  ]);
});

test('lists only the first mistakes when there are many', async () => {
  for (const entry of [{}, purchase({ code: 'UNKNOWN' }), purchase({ subtotal: 0.5 })]) {
    const message = await messageOf(Array.from({ length: 1_000 }, () => entry));
    expect(message.split('; ')).toHaveLength(21);
    expect(message.endsWith('; and more')).toBe(true);
  }
  expect(await messageOf(Array.from({ length: 1_001 }, () => ({})))).toBe(
    'The body must have at most 1000 entries',
  );
});

test('lists all mistakes of a schedule as its errors', async () => {
  const { status, body } = await service().call('POST', '/v1/manage/scheduled-rev-shares', {
    key: keys().backend,
    json: { revShare: 0, endDate: 'x' },
  });
  expect(status).toBe(400);
  expect(body.errors.map(({ message }: { message: string }) => message)).toEqual([
    'startDate is required',
    'revShare must be at least 1',
    expect.stringMatching(/^endDate must be a timestamp/),
  ]);
});
