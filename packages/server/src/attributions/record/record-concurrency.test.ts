import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { purchase } from '../../../test/fixtures.ts';
import { type Answer, startService, type TestService } from '../../../test/test-service.ts';
import { useTransactions } from '../../../test/transactions.ts';

const { service, record, get, countRows } = useTransactions();
let other: TestService;
beforeAll(async () => {
  other = await startService({ beside: service() });
});
afterAll(() => other.close());

const statusesOf = (answers: Answer[]): Record<number, number> => {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};
const times = <Value>(count: number, make: (index: number) => Value): Value[] =>
  Array.from({ length: count }, (_, index) => make(index));
const both = (index: number): TestService => (index % 2 === 0 ? service() : other);

describe('of 50 concurrent requests with the same new transactionId, exactly one succeeds', () => {
  test.each([
    ['in one process', () => service()],
    ['in two processes', both],
  ])('%s', async (_where, at) => {
    const { transactionId } = purchase();
    const answers = await Promise.all(
      times(50, (index) => record(purchase({ transactionId, description: `${index}` }), { at: at(index) })),
    );
    expect(statusesOf(answers)).toEqual({ 200: 1, 409: 49 });
    const winner = answers.find(({ status }) => status === 200);
    expect((await get(transactionId)).text).toBe(`[${winner?.text}]`);
  });

  test.each([
    ['in one process', () => service()],
    ['in two processes', both],
  ])('when each is a split, and only its rows are saved: %s', async (_where, at) => {
    const { transactionId } = purchase();
    const answers = await Promise.all(
      times(50, (index) =>
        record(
          times(1 + (index % 4), (part) => purchase({ transactionId, description: `${index}.${part}` })),
          { at: at(index) },
        ),
      ),
    );
    expect(statusesOf(answers)).toEqual({ 200: 1, 409: 49 });
    const winner = answers.find(({ status }) => status === 200);
    expect((await get(transactionId)).text).toBe(winner?.text);
  });

  test('when each is a list with other purchases in any order, and the others save nothing', async () => {
    const shared = times(5, () => purchase().transactionId);
    const before = await countRows();
    const answers = await Promise.all(
      times(50, (index) => {
        const ids = shared.map((_, place) => shared[(place + index) % shared.length]);
        return record([...ids.map((transactionId) => purchase({ transactionId })), purchase()], {
          at: both(index),
        });
      }),
    );
    expect(statusesOf(answers)).toEqual({ 200: 1, 409: 49 });
    expect(await countRows()).toBe(before + 6);
  });

  test('when lists partly overlap: each list is saved as a whole or not at all', async () => {
    const ids = times(12, () => purchase().transactionId);
    const before = await countRows();
    const answers = await Promise.all(
      times(40, (index) => {
        const wanted = times(3, (step) => ids[(index * 5 + step * (1 + (index % 3))) % ids.length]);
        return record(
          wanted.map((transactionId) => purchase({ transactionId })),
          { at: both(index) },
        );
      }),
    );
    const won = answers.filter(({ status }) => status === 200);
    expect(won.length).toBeGreaterThan(0);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
    expect(await countRows()).toBe(before + won.length * 3);
  });
});

describe('a request recorded together with others has its own outcome', () => {
  test('when others have unknown codes, disabled currencies or duplicates', async () => {
    const known = purchase();
    await record(known);
    const before = await countRows();
    const answers = await Promise.all(
      times(200, (index) => {
        if (index % 10 === 3) return record(purchase({ code: 'UNKNOWN' }));
        if (index % 10 === 5) return record(purchase({ currency: 'BTC' }));
        if (index % 10 === 7) return record(known);
        if (index % 10 === 8) return record([purchase(), purchase({ code: 'PENDING' })]);
        return record(purchase());
      }),
    );
    for (const [index, { status }] of answers.entries()) {
      expect([index % 10, status]).toEqual([
        index % 10,
        { 3: 400, 5: 400, 7: 409, 8: 400 }[index % 10] ?? 200,
      ]);
    }
    expect(await countRows()).toBe(before + 120);
  });

  test('and its own values, regardless of the fields that other requests send or omit', async () => {
    const optional: Record<string, unknown>[] = [
      { total: 1_200, totalCurrency: 'EUR' },
      { skuId: 'battle-pass' },
      { playerName: 'NULL', metrics: { joinDate: '2020-02-29T00:00:00.000Z' } },
      { memberSharePercent: 12.5 },
      { status: 'Test' },
    ];
    // Every combination, including the empty one. Each round records different combinations together.
    const sets = times(2 ** optional.length, (set) =>
      Object.assign({}, ...optional.filter((_, place) => set & (1 << place))),
    );
    for (const size of [1, 2, 3, 5, 8, 32]) {
      for (let from = 0; from < sets.length; from += size) {
        await Promise.all(
          sets.slice(from, from + size).map(async (changes, index) => {
            const sent = purchase({ ...changes, code: 'BOB' });
            const query = index % 5 === 4 ? '?groupId=moba' : '';
            const created = await record(sent, { query });
            expect(created.body.transaction).toMatchObject({ total: 999, totalCurrency: 'USD', ...sent });
            const read = await get(sent.transactionId);
            expect(read.text).toBe(`[${created.text}]`);
          }),
        );
      }
    }
  });

  test('and the response for its own purchase', async () => {
    await Promise.all(
      times(100, async (index) => {
        const sent = purchase({
          description: `mine ${index}`,
          subtotal: index + 1,
          code: index % 2 ? 'BOB' : 'ALICE',
        });
        const query = index % 3 === 0 ? '?groupId=moba' : '';
        const { body } = await record(sent, { query, at: both(index) });
        expect(body.transaction).toMatchObject({
          transactionId: sent.transactionId,
          description: sent.description,
          subtotal: sent.subtotal,
          memberPlayerId: index % 2 ? (query === '' ? 'p-2' : 'p-9') : 'p-1',
        });
      }),
    );
  });
});

describe('a program change applies to the next purchase, in every process', () => {
  const codes = async (code: string): Promise<number[]> =>
    Promise.all([service(), other].map(async (at) => (await record(purchase({ code }), { at })).status));
  const provision = (member: string) =>
    service().provision(`{ publisher: { id: aurora }, groups: [ { id: main, members: [ ${member} ] } ] }`);

  test('when a member is added, removed and approved again', async () => {
    expect(await codes('EVE')).toEqual([400, 400]);
    await provision('{ id: acc_eve, playerId: p-eve, codes: [ { code: EVE } ] }');
    expect(await codes('EVE')).toEqual([200, 200]);
    await provision('{ id: acc_eve, status: Removed }');
    expect(await codes('EVE')).toEqual([400, 400]);
    await provision('{ id: acc_eve, status: Approved }');
    expect(await codes('EVE')).toEqual([200, 200]);
  });

  test('when a code is added, unapproved and hidden by a group code', async () => {
    const creditedIn = async (code: string): Promise<string[]> =>
      Promise.all(
        [service(), other].map(
          async (at) => (await record(purchase({ code }), { at })).body.transaction.memberPlayerId,
        ),
      );
    await provision('{ id: acc_bob, codes: [ { code: SHARED } ] }');
    expect(await creditedIn('SHARED')).toEqual(['p-2', 'p-2']);
    await provision('{ id: acc_alice, codes: [ { code: SHARED, group: main } ] }');
    expect(await creditedIn('SHARED')).toEqual(['p-1', 'p-1']);
    await provision('{ id: acc_alice, codes: [ { code: SHARED, group: main, approved: false } ] }');
    expect(await creditedIn('SHARED')).toEqual(['p-2', 'p-2']);
  });

  test("when a group's currencies change, and when a group is added", async () => {
    const inKronur = async (): Promise<number[]> =>
      Promise.all(
        [service(), other].map(async (at) => (await record(purchase({ currency: 'ISK' }), { at })).status),
      );
    const disable = (currencies: string) =>
      service().provision(
        `{ publisher: { id: aurora }, groups: [ { id: main, disabledCurrencies: [${currencies}] } ] }`,
      );
    expect(await inKronur()).toEqual([200, 200]);
    await disable('BTC, ISK');
    expect(await inKronur()).toEqual([400, 400]);
    await disable('BTC');
    expect(await inKronur()).toEqual([200, 200]);
    await service().provision(
      '{ publisher: { id: aurora }, groups: [ { id: fresh, revShare: 5, members: [ { id: acc_bob } ] } ] }',
    );
    const fresh = await Promise.all(
      [service(), other].map(
        async (at) => (await record(purchase({ code: 'BOB' }), { at, query: '?groupId=fresh' })).status,
      ),
    );
    expect(fresh).toEqual([200, 200]);
  });
});

test('records many simultaneous first purchases of a new group', async () => {
  for (let round = 0; round < 3; round += 1) {
    await record(purchase()); // caches the program without the group
    await service().provision(
      `{ publisher: { id: aurora }, groups: [ { id: new${round}, revShare: 5, members: [ { id: acc_bob } ] } ] }`,
    );
    const answers = await Promise.all(
      times(40, () => record(purchase({ code: 'BOB' }), { query: `?groupId=new${round}` })),
    );
    expect(statusesOf(answers)).toEqual({ 200: 40 });
  }
});

test('records all purchases while the program keeps changing', async () => {
  let isChanging = true;
  const changes = (async () => {
    for (let count = 0; isChanging; count += 1) {
      await service().provision(
        `{ publisher: { id: aurora }, groups: [ { id: main, skuRevShares: [ { skuId: s, revShare: ${count % 100} } ] } ] }`,
      );
    }
  })();
  const answers = await Promise.all(
    times(100, (index) => record(purchase({ skuId: 's' }), { at: both(index) })),
  );
  isChanging = false;
  await changes;
  expect(statusesOf(answers)).toEqual({ 200: 100 });
});
