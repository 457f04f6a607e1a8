import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Asking, asEveryRole, asRole } from '../../../test/admin.ts';
import { testPages, useMoney } from '../../../test/money.ts';
import { connect } from '../../../test/test-database.ts';
import { startService } from '../../../test/test-service.ts';
import { systemClock } from '../../platform/clock.ts';
import { openDatabase } from '../../platform/database/database.ts';
import { readBalancePage } from './read-balance-page.ts';

const money = useMoney();
const { service, makeGroup, earn, settle } = money;
let finance: Asking;
beforeAll(async () => {
  finance = await asRole(service(), 'finance');
});

const dayMs = 86_400_000;
const inShort = ({ body }: { body: { rows: Record<string, string>[] } }) =>
  body.rows.map(({ name, currency, state, amountMinor, laterMinor }) => [
    name,
    currency,
    state,
    amountMinor,
    laterMinor,
  ]);
async function payAll(group: string): Promise<void> {
  for (const { batchId } of await money.create(group)) await money.markPaid(batchId);
}

describe('payout lists', () => {
  test.each(['/payouts/preview', '/payouts', '/balances', '/clawbacks', '/payouts/month?month=2026-05'])(
    'every role of the publisher can read %s, and other publishers cannot',
    async (path) => {
      for (const ask of Object.values(await asEveryRole(service())))
        expect((await ask('GET', path)).status).toBe(200);
      const rival = await asRole(service(), 'owner', 'rival');
      const foreign = await rival('GET', `/admin/v1/publishers/aurora${path}`);
      expect(foreign).toMatchObject({ status: 404, body: { code: 'NotFound' } });
      const signedOut = await service().call('GET', `/admin/v1/publishers/aurora${path}`, { key: null });
      expect(signedOut).toMatchObject({ status: 401 });
    },
  );
});

describe('the preview', () => {
  test('lists members with their state by currency, the largest amount first', async () => {
    await makeGroup('why', 'holdDays: 30, payoutMinimums: { USD: 500 },');
    await earn('why', 'A', 700);
    await earn('why', 'B', 499);
    await earn('why', 'B', 300, { currency: 'EUR' });
    const held = systemClock.now().getTime() - 10 * dayMs;
    await earn('why', 'A', 40, { transactionDate: new Date(held).toISOString() });
    await earn('why', 'A', 41, { currency: 'JPY', transactionDate: new Date(held).toISOString() });
    await settle();
    const { body } = await finance('GET', '/payouts/preview?group=why');
    expect(inShort({ body })).toEqual([
      ['B', 'EUR', 'due', '300', '0'],
      ['A', 'JPY', 'held', '0', '41'],
      ['A', 'USD', 'due', '700', '40'],
      ['B', 'USD', 'below-minimum', '499', '0'],
    ]);
    expect(body.rows.map(({ heldUntil }: { heldUntil: string | null }) => heldUntil)).toEqual([
      null,
      new Date(held + 30 * dayMs).toISOString(),
      new Date(held + 30 * dayMs).toISOString(),
      null,
    ]);
    expect(body.totals.map(({ currency, due }: Record<string, unknown>) => [currency, due])).toEqual([
      ['EUR', { totalMinor: '300', memberCount: 1 }],
      ['JPY', { totalMinor: '0', memberCount: 0 }],
      ['USD', { totalMinor: '700', memberCount: 1 }],
    ]);
    expect(body.totals.map(({ smallestDueMinor }: Record<string, unknown>) => smallestDueMinor)).toEqual([
      '300',
      null,
      '700',
    ]);
  });

  test('shows a negative amount for a member who owes money after a clawback', async () => {
    await makeGroup('owing');
    const { id } = await earn('owing', 'A', 900);
    await settle();
    await payAll('owing');
    await money.clawBack(id, 'Fraud');
    await earn('owing', 'A', 320);
    const recent = new Date(systemClock.now().getTime() - dayMs).toISOString();
    await earn('owing', 'A', 30, { transactionDate: recent });
    await settle();
    const { body } = await finance('GET', '/payouts/preview?group=owing');
    expect(body.rows).toMatchObject([
      {
        name: 'A',
        state: 'repaying',
        paymentsMinor: '320',
        adjustmentsMinor: '-900',
        amountMinor: '-580',
        laterMinor: '30',
      },
    ]);
    expect(body.totals, 'both amounts are the balance').toMatchObject([
      {
        repaying: { totalMinor: '-580', memberCount: 1 },
        repayingLaterMinor: '30',
        repayingName: 'A',
        smallestDueMinor: null,
      },
    ]);
    const balances = await finance('GET', '/balances?group=owing&owing=true');
    expect(balances.body).toMatchObject({
      totals: [{ currency: 'USD', owedMinor: '0', owingMinor: '-550', owingCount: 1 }],
      rows: [{ name: 'A', balanceMinor: '-550' }],
    });
  });

  test('pages through all members without repeating or skipping one', async () => {
    const members = Array.from(
      { length: 60 },
      (_, index) =>
        `{ id: acc_many_${index}, name: M${index}, codes: [ { code: MANY-${index}, group: many } ] }`,
    );
    await money.provisionGroup('many', `revShare: 10, members: [ ${members.join(', ')} ]`);
    for (const index of members.keys()) await earn('many', 'A', 100 + (index % 7), { code: `MANY-${index}` });
    await settle();
    const first = await finance('GET', '/payouts/preview?group=many');
    expect(first.body.rows).toHaveLength(50);
    const { asOf, nextCursor } = first.body;
    const path = `/payouts/preview?group=many&asOf=${asOf}&cursor=${nextCursor}`;
    const second = await finance('GET', path);
    expect(second.body.nextCursor).toBeNull();
    const names = [...first.body.rows, ...second.body.rows].map(({ name }) => name);
    expect(new Set(names).size).toBe(60);
    const other = await finance('GET', `/payouts/preview?group=main&cursor=${nextCursor}`);
    expect(other).toMatchObject({ status: 400, body: { code: 'InvalidCursor' } });
  });

  test('rejects an unknown group and a cutoff in the future', async () => {
    expect(await finance('GET', '/payouts/preview?group=nowhere')).toMatchObject({ status: 404 });
    for (const asOf of ['2099-01-01T00:00:00.000Z', 'yesterday'])
      expect(await finance('GET', `/payouts/preview?asOf=${asOf}`)).toMatchObject({
        status: 400,
        body: { code: 'InvalidInput' },
      });
  });
});

test('balances are listed negative first and never added up across currencies', async () => {
  await makeGroup('books');
  const { id } = await earn('books', 'A', 500);
  await settle();
  await payAll('books');
  await money.clawBack(id, 'Refund');
  await earn('books', 'B', 70);
  await earn('books', 'B', 9, { currency: 'EUR' });
  await settle();
  const { body } = await finance('GET', '/balances?group=books');
  expect(
    body.rows.map(({ name, currency, balanceMinor }: Record<string, string>) => [
      name,
      currency,
      balanceMinor,
    ]),
  ).toEqual([
    ['A', 'USD', '-500'],
    ['B', 'EUR', '9'],
    ['B', 'USD', '70'],
  ]);
  const balancesOf = async (query: string) =>
    (await finance('GET', `/balances?group=books${query}`)).body.rows.map(
      ({ balanceMinor }: Record<string, string>) => balanceMinor,
    );
  expect(await balancesOf('&owing=true')).toEqual(['-500']);
  expect(await balancesOf('&owing=false')).toEqual(['9', '70']);
  expect(await balancesOf('&owing=false&currency=USD')).toEqual(['70']);
  expect(body.totals).toEqual([
    { currency: 'EUR', owedMinor: '9', owedCount: 1, owingMinor: '0', owingCount: 0 },
    { currency: 'USD', owedMinor: '70', owedCount: 1, owingMinor: '-500', owingCount: 1 },
  ]);
  await earn('books', 'A', 900, { currency: 'EUR' });
  await settle();
  expect(await balancesOf('&q=p-B')).toEqual(['9', '70']);
  expect(await balancesOf('&q=acc_books_A&currency=USD')).toEqual(['-500']);
  expect(await balancesOf('&q=no+such+name')).toEqual([]);
  expect(await balancesOf('&owing=false'), 'largest first').toEqual(['900', '9', '70']);
  const pageAfter = (cursor: string | null) =>
    readBalancePage(
      service().testDatabase.database.db,
      testPages,
      { publisherId: 'aurora', groupId: 'books', currency: null, isOwing: null },
      { cursor, size: 2 },
    );
  const { rows, nextCursor } = await pageAfter(null);
  const { rows: others } = await pageAfter(nextCursor);
  expect([...rows, ...others].map(({ balanceMinor }) => balanceMinor)).toEqual([-500n, 900n, 9n, 70n]);
});

test('a preview that takes longer than the time limit of a request still succeeds', async () => {
  await makeGroup('hurried');
  await earn('hurried', 'A', 700);
  await settle();
  const { testDatabase } = service();
  const requestMs = 2_000;
  const database = openDatabase({
    connection: testDatabase.connection,
    poolSize: 5,
    recordLanes: 1,
    applicationName: 'in a hurry',
    requestMs,
  });
  onTestFinished(database.close);
  const hurried = await startService({ on: { ...testDatabase, database } });
  onTestFinished(hurried.close);
  const ask = await asRole(hurried, 'finance');
  const blocker = await connect(testDatabase.ownerConnection);
  await blocker.query('begin; lock table reward_payment in access exclusive mode');
  const preview = ask('GET', '/payouts/preview?group=hurried');
  await sleep(requestMs + 500);
  await blocker.query('commit');
  expect(inShort(await preview)).toEqual([['A', 'USD', 'due', '700', '0']]);
});

test('money in transit and money in its hold period are shown beside what is due (dub#2621)', async () => {
  await makeGroup('transit');
  await earn('transit', 'A', 700);
  await settle();
  await money.create('transit');
  await earn('transit', 'A', 30);
  await earn('transit', 'A', 4, { transactionDate: new Date().toISOString() });
  await settle();
  const waiting = async () =>
    (await finance('GET', '/payouts/preview?group=transit')).body.rows.map(
      ({
        amountMinor,
        waiting,
      }: {
        amountMinor: string;
        waiting: { amountMinor: string; reasons: object[] }[];
      }) => [amountMinor, ...waiting.map(({ amountMinor, reasons }) => [amountMinor, ...reasons])],
    );
  const inHoldPeriod = ['4', expect.objectContaining({ kind: 'hold-period' })];
  expect(await waiting()).toEqual([
    ['30', inHoldPeriod, ['700', expect.objectContaining({ kind: 'in-payout' })]],
  ]);
  for (const { batchId, groupId } of await money.payouts())
    if (groupId === 'transit') await money.markPaid(batchId);
  expect(await waiting(), 'once it has arrived').toEqual([['30', inHoldPeriod]]);
});
