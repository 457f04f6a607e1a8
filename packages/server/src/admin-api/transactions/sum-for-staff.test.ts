import { expect, test } from 'vitest';
import { asRole } from '../../../test/admin.ts';
import { purchase } from '../../../test/fixtures.ts';
import { useMoney } from '../../../test/money.ts';
import { toListing } from './list-query.ts';
import { sumForStaff } from './sum-for-staff.ts';

const { service, db, record, settle, provisionGroup, patch } = useMoney();

const transactionDate = '2026-01-02T10:00:00.000Z';

async function makeGroup(group: string): Promise<void> {
  const codes = `[ { code: S-${group}, group: ${group} }, { code: O-${group}, group: ${group} } ]`;
  await provisionGroup(
    group,
    `revShare: 10, members: [ { id: acc_${group}, name: ${group}, codes: ${codes} } ]`,
  );
}

test('adds up the rows of a filter by currency, without tests, and names what was reversed', async () => {
  await makeGroup('sums');
  const made = (transactionId: string, subtotal: number, changes: object = {}) =>
    record(purchase({ code: 'S-sums', transactionId, subtotal, transactionDate, ...changes }), {
      query: '?groupId=sums',
    });
  await made('sum-1', 1_000);
  await made('sum-2', 500);
  await made('sum-3', 2_000, { currency: 'EUR' });
  await made('sum-4', 9_000, { status: 'Test' });
  await made('sum-5', 300, { code: 'O-sums' });
  await settle();
  expect((await patch('sum-2', { json: { action: 'Refund' } }, { query: '?groupId=sums' })).status).toBe(200);
  await made('sum-6', 700); // unposted, so its share isn't known
  const owner = await asRole(service(), 'owner');
  const sumsOf = async (query: string) => (await owner('GET', `/transaction-sums?group=sums${query}`)).body;
  const eur = {
    currency: 'EUR',
    rowCount: 1,
    grossMinor: '2000',
    shareMinor: '200',
    reversedShareMinor: '0',
  };
  const sums = await sumsOf('&code=S-sums');
  expect(sums).toEqual({
    isExact: true,
    maxRows: 20_000,
    currencies: [
      eur,
      { currency: 'USD', rowCount: 3, grossMinor: '2200', shareMinor: '150', reversedShareMinor: '50' },
    ],
  });
  const rowCounts = async (query: string) =>
    (await sumsOf(query)).currencies.map(({ currency, rowCount }: Record<string, unknown>) => [
      currency,
      rowCount,
    ]);
  expect(await rowCounts('&status=refund')).toEqual([['USD', 1]]);
  expect(await rowCounts('&status=test')).toEqual([]);
  expect(await rowCounts('&creator=acc_sums')).toEqual([
    ['EUR', 1],
    ['USD', 4],
  ]);
  expect(await rowCounts('&from=2026-01-03T00:00:00Z')).toEqual([]);
  expect(await sumsOf('&code=UNKNOWN')).toEqual({
    isExact: true,
    maxRows: 20_000,
    currencies: [],
  });
});

test('adds up only the first rows of a long list, and says so', async () => {
  await makeGroup('long');
  const rows = Array.from({ length: 21 }, (_, index) =>
    purchase({ code: 'S-long', transactionId: `long-${index}`, subtotal: 100, transactionDate }),
  );
  await record(rows, { query: '?groupId=long' });
  await settle();
  const listing = toListing('aurora', { group: 'long' }, 1);
  const currencies = (rowCount: number) => [{ currency: 'USD', rowCount }];
  expect(await sumForStaff(db(), listing, 20)).toMatchObject({
    isExact: false,
    maxRows: 20,
    currencies: currencies(21),
  });
  expect(await sumForStaff(db(), listing, 21)).toMatchObject({ isExact: true, currencies: currencies(21) });
});
