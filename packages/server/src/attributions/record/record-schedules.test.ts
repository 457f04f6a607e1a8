import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { purchase } from '../../../test/fixtures.ts';
import { useMoney } from '../../../test/money.ts';
import { schedulesPath } from '../../../test/schedules.ts';
import { startService, type TestService } from '../../../test/test-service.ts';

const money = useMoney();
const { service, record, send, remove, settle, shown } = money;
const gold = '7d0c5a3e-52f4-4c1b-9a68-0d1e6f2b7c90';
let other: TestService;
beforeAll(async () => {
  other = await startService({ beside: service() });
});
afterAll(() => other.close());

// Each test has its own month. BOB has no tier and earns 10 percent. ALICE is in the tier Gold and earns 20
// percent.
let months = 0;
const nextMonth = () => {
  months += 1;
  const month = (number: number): string => new Date(Date.UTC(2030, number, 1)).toISOString();
  return { startDate: month(months), endDate: month(months + 1) };
};

const create = async (terms: object, at = service()): Promise<string> => {
  const { status, body } = await send('POST', schedulesPath, terms, { at });
  expect(status).toBe(200);
  return body.id;
};
const replace = async (id: string, terms: object, at = service()): Promise<void> => {
  const { status } = await send('PUT', `${schedulesPath}/${id}`, terms, { at });
  expect(status).toBe(200);
};
const drop = async (id: string, at = service()): Promise<void> => {
  expect((await remove(`${schedulesPath}/${id}`, { at })).status).toBe(200);
};

const buy = async (transactionDate: string, code = 'BOB'): Promise<string> => {
  const sent = purchase({ subtotal: 10_000, code, transactionDate });
  expect((await record(sent)).status).toBe(200);
  return sent.transactionId;
};
const percentOf = async (transactionId: string): Promise<number | undefined> => {
  const [row] = await shown(transactionId);
  return row?.memberSharePercent;
};

describe.each([
  ['this process', () => service()],
  ['another process', () => other],
])('a schedule that %s changes just before a purchase decides its share', (_whose, by) => {
  test('when it is created, replaced and deleted', async () => {
    const { startDate, endDate } = nextMonth();
    const before = await buy(startDate);
    const id = await create({ startDate, endDate, revShare: 30 }, by());
    const made = await buy(startDate);
    await replace(id, { startDate, endDate, revShare: 31 }, by());
    const replaced = await buy(startDate);
    await drop(id, by());
    const deleted = await buy(startDate);
    await settle();
    const purchases = [before, made, replaced, deleted];
    expect(await Promise.all(purchases.map(percentOf))).toEqual([10, 30, 31, 10]);
  });

  test('when it is moved, and when it is cut to an instant, which covers nothing', async () => {
    const { startDate, endDate } = nextMonth();
    const id = await create({ startDate, endDate, revShare: 30 }, by());
    const covered = await buy(startDate);
    const late = new Date(Date.parse(startDate) + 1).toISOString();
    await replace(id, { startDate: late, endDate, revShare: 30 }, by());
    const uncovered = [await buy(startDate), await buy(late)];
    await replace(id, { startDate, endDate: startDate, revShare: 30 }, by());
    uncovered.push(await buy(startDate));
    await drop(id, by());
    await settle();
    expect(await Promise.all([covered, ...uncovered].map(percentOf))).toEqual([30, 10, 30, 10]);
  });

  test('when only its tiers change', async () => {
    const { startDate, endDate } = nextMonth();
    const terms = (revShare: number) => ({
      startDate,
      endDate,
      tierRevenueShares: [{ tierId: gold, revShare }],
    });
    const id = await create(terms(40), by());
    const made = [await buy(startDate, 'ALICE'), await buy(startDate, 'BOB')];
    await replace(id, terms(41), by());
    const replaced = await buy(startDate, 'ALICE');
    await replace(id, { startDate, endDate, revShare: 30 }, by());
    const withoutTiers = await buy(startDate, 'ALICE');
    await settle();
    const purchases = [...made, replaced, withoutTiers];
    expect(await Promise.all(purchases.map(percentOf))).toEqual([40, 10, 41, 30]);
  });

  test('when it is created by a program file', async () => {
    const { startDate, endDate } = nextMonth();
    const before = await buy(startDate);
    await by().provision(
      `{ publisher: { id: aurora }, groups: [ { id: main, schedules: [ { startDate: ${startDate}, endDate: ${endDate}, revShare: 33 } ] } ] }`,
    );
    const put = await buy(startDate);
    await settle();
    expect(await Promise.all([before, put].map(percentOf))).toEqual([10, 33]);
  });
});

test('changes between recording and posting affect no purchase', async () => {
  const { startDate, endDate } = nextMonth();
  const uncovered = await buy(startDate);
  const id = await create({ startDate, endDate, revShare: 30 });
  const covered = await buy(startDate);
  await replace(id, { startDate, endDate, revShare: 90 });
  const again = await buy(startDate);
  await drop(id);
  await create({ startDate, endDate, revShare: 70 });
  expect(await Promise.all([uncovered, covered, again].map(percentOf))).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  await settle();
  expect(await Promise.all([uncovered, covered, again].map(percentOf))).toEqual([10, 30, 90]);
});

test('a list recorded while a schedule keeps changing has the shares of one version', async () => {
  const { startDate, endDate } = nextMonth();
  const terms = (more: number) => ({
    startDate,
    endDate,
    revShare: 30 + more,
    tierRevenueShares: [{ tierId: gold, revShare: 50 + more }],
  });
  const id = await create(terms(0));
  let isOver = false;
  let turns = 0;
  const changing = [service(), other].map(async (at) => {
    while (!isOver) {
      turns += 1;
      await replace(id, terms(turns % 10), at);
    }
  });
  const lists: string[][] = [];
  while (lists.length < 20) {
    const codes = ['ALICE', 'BOB', 'ALICE', 'BOB'];
    const sent = codes.map((code) => purchase({ code, subtotal: 10_000, transactionDate: startDate }));
    const { status } = await record(sent);
    expect(status).toBe(200);
    lists.push(sent.map(({ transactionId }) => transactionId));
  }
  isOver = true;
  await Promise.all(changing);
  await settle();
  const seen = new Set<number>();
  for (const list of lists) {
    const [tier = 0, group = 0, ...rest] = await Promise.all(list.map(percentOf));
    expect([tier - 20, tier, group]).toEqual([group, ...rest]);
    seen.add(group);
  }
  expect(seen.size).toBeGreaterThan(2);
});
