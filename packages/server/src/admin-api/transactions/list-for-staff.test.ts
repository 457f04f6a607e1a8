import { expect, test } from 'vitest';
import { type Asking, asEveryRole, asRole } from '../../../test/admin.ts';
import { purchase } from '../../../test/fixtures.ts';
import { useMoney } from '../../../test/money.ts';

const { service, record, settle, provisionGroup, patch, makeGroup, earn, create } = useMoney();

const idsOf = (rows: { transactionId: string }[]): string[] => rows.map(({ transactionId }) => transactionId);

async function listAll(ask: Asking, query: string): Promise<string[]> {
  const all: string[] = [];
  for (let cursor = ''; ; ) {
    const { status, body } = await ask('GET', `/transactions?${query}${cursor}`);
    expect(status).toBe(200);
    all.push(...idsOf(body.rows));
    if (body.nextCursor === null) return all;
    cursor = `&cursor=${body.nextCursor}`;
  }
}

const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();

/** Records 60 purchases in each of two groups, in alternating minutes. Each group's creator also has the code BOTH. */
async function fillTwoGroups(): Promise<void> {
  for (const group of ['wide', 'deep'])
    await provisionGroup(
      group,
      `revShare: 10, members: [ { id: acc_${group}, name: ${group}, codes: [ { code: T-${group}, group: ${group} }, { code: BOTH, group: ${group} } ] } ]`,
    );
  for (let index = 0; index < 60; index += 1)
    for (const [offset, group] of [
      [0, 'wide'],
      [1, 'deep'],
    ] as const)
      await record(
        purchase({
          transactionId: `${group}-${String(index).padStart(2, '0')}`,
          code: index % 20 === 0 ? 'BOTH' : `T-${group}`,
          transactionDate: at(index * 2 + offset),
        }),
        { query: `?groupId=${group}` },
      );
  await settle();
}

test('lists one group or all, newest or oldest first, and each row once over all pages', async () => {
  await fillTwoGroups();
  const owner = await asRole(service(), 'owner');
  const span = `from=${at(0)}&until=${at(120)}`;
  const all = await listAll(owner, span);
  expect(all).toHaveLength(120);
  expect(new Set(all).size).toBe(120);
  expect(all.slice(0, 3)).toEqual(['deep-59', 'wide-59', 'deep-58']);
  expect(await listAll(owner, `${span}&sort=oldest`)).toEqual([...all].reverse());
  expect(await listAll(owner, `${span}&group=deep`)).toEqual(all.filter((id) => id.startsWith('deep')));
  const counted = await owner('GET', `/transaction-count?${span}`);
  expect(counted.body).toEqual({ count: 120, isExact: true });
});

test('filters by date, status, creator, code, purchase and origin', async () => {
  const owner = await asRole(service(), 'owner');
  const first = `from=${at(0)}&until=${at(2)}`;
  expect(await listAll(owner, first)).toEqual(['deep-00', 'wide-00']);
  expect(await listAll(owner, `from=${at(0)}&until=${at(1)}`), 'until is exclusive').toEqual(['wide-00']);
  const both = ['deep-40', 'wide-40', 'deep-20', 'wide-20', 'deep-00', 'wide-00'];
  expect(await listAll(owner, 'code=both')).toEqual(both);
  expect((await owner('GET', '/transaction-count?code=BOTH')).body).toEqual({ count: 6, isExact: true });
  expect(await listAll(owner, 'code=BOTH&group=wide')).toEqual(both.filter((id) => id.startsWith('wide')));
  expect(await listAll(owner, 'creator=acc_wide')).toHaveLength(60);
  expect((await owner('GET', '/transaction-count?creator=acc_wide')).body.count).toBe(60);
  expect(await listAll(owner, 'transactionId=wide-09')).toEqual(['wide-09']);
  expect(await listAll(owner, 'transactionId=wide-09&group=deep')).toEqual([]);
  expect((await owner('GET', '/transaction-count?transactionId=wide-09')).body).toEqual({
    count: 1,
    isExact: true,
  });
  await patch('wide-07', { json: { action: 'Fraud' } });
  expect(await listAll(owner, 'status=fraud,chargeback&creator=acc_wide')).toEqual(['wide-07']);
  expect(await listAll(owner, 'origin=storefrontCode')).toEqual([]);
  expect((await owner('GET', '/transaction-count?origin=storefrontCode')).body.count).toBe(0);
});

test('returns an empty list for unknown creators and codes, and rejects invalid filters', async () => {
  const owner = await asRole(service(), 'owner');
  for (const query of ['creator=acc_nobody', 'code=UNKNOWN'])
    expect((await owner('GET', `/transactions?${query}`)).body).toEqual({ rows: [], nextCursor: null });
  const wrong: [string, string][] = [
    ['group=nowhere', 'InvalidGroup'],
    ['status=lost', 'InvalidStatus'],
    ['origin=web', 'InvalidOrigin'],
    ['from=yesterday', 'InvalidInput'],
    ['limit=7', 'InvalidInput'],
    ['cursor=abc', 'InvalidCursor'],
  ];
  for (const [query, code] of wrong)
    expect(await owner('GET', `/transactions?${query}`), query).toMatchObject({
      status: 400,
      body: { code },
    });
  const { body } = await owner('GET', '/transactions?group=wide');
  expect(
    await owner('GET', `/transactions?group=deep&cursor=${body.nextCursor}`),
    'the cursor of another list',
  ).toMatchObject({ status: 400, body: { code: 'InvalidCursor' } });
});

test('returns amounts as strings, and returns buyers only to roles that may see them', async () => {
  await record(purchase({ transactionId: 'seen', playerId: 'buyer-1', playerName: 'Bea' }));
  await settle();
  const roles = await asEveryRole(service());
  for (const [role, ask] of Object.entries(roles)) {
    const { body } = await ask('GET', '/transactions?code=ALICE');
    expect(body.rows).toHaveLength(1);
    expect(body.rows[0], role).toMatchObject({
      transactionId: 'seen',
      subtotalMinor: '999',
      shareMinor: '200',
      sharePercent: 20,
      creator: { memberId: 'acc_alice', name: 'Alice' },
      playerId: role === 'viewer' ? null : 'buyer-1',
      playerName: role === 'viewer' ? null : 'Bea',
    });
  }
});

test('is hidden from other publishers and from unauthenticated clients', async () => {
  const rival = await asRole(service(), 'owner', 'rival');
  for (const path of [
    'transactions',
    'transaction-count',
    'transaction-sums',
    'transactions/seen',
    'transactions/seen/events',
  ]) {
    expect(await rival('GET', `/admin/v1/publishers/aurora/${path}`), path).toMatchObject({ status: 404 });
    expect(
      await service().call('GET', `/admin/v1/publishers/aurora/${path}`, { key: null }),
      path,
    ).toMatchObject({ status: 401 });
  }
  expect((await rival('GET', '/transactions')).body.rows).toEqual([]);
  expect(await rival('GET', '/transactions/seen')).toMatchObject({ status: 404, body: { code: 'NotFound' } });
});

test('filters by currency within a few days, alone and with other filters, and counts what it lists', async () => {
  await provisionGroup(
    'coins',
    'revShare: 10, members: [ { id: acc_coins, name: Coins, codes: [ { code: COINS, group: coins } ] } ]',
  );
  const day = (date: number, ms = 0): string => new Date(Date.UTC(2026, 2, date, 0, 0, 0, ms)).toISOString();
  for (const [id, currency, transactionDate] of [
    ['before', 'EUR', day(5, -1)],
    ['first', 'EUR', day(5)],
    ['dollars', 'USD', day(5, 1)],
    ['last', 'EUR', day(6, -1)],
    ['after', 'EUR', day(6)],
  ] as const)
    await record(purchase({ transactionId: `coins-${id}`, code: 'COINS', currency, transactionDate }), {
      query: '?groupId=coins',
    });
  const owner = await asRole(service(), 'owner');
  const ofDay = `currency=EUR&from=${day(5)}&until=${day(6)}`;
  for (const also of [
    '',
    '&group=coins',
    '&group=coins&code=COINS',
    '&creator=acc_coins',
    '&status=normal',
  ]) {
    await settle();
    expect(await listAll(owner, ofDay + also), also).toEqual(['coins-last', 'coins-first']);
    expect((await owner('GET', `/transaction-count?${ofDay}${also}`)).body, also).toEqual({
      count: 2,
      isExact: true,
    });
  }
  expect(await listAll(owner, `${ofDay}&transactionId=coins-dollars`)).toEqual([]);
  for (const wide of [
    'currency=EUR',
    `currency=EUR&from=${day(5)}`,
    `currency=EUR&from=${day(5)}&until=${day(13)}`,
    `currency=euro&from=${day(5)}&until=${day(6)}`,
  ])
    for (const path of ['transactions', 'transaction-count', 'transaction-sums', 'transactions.csv'])
      expect(await owner('GET', `/${path}?${wide}`), `${path} ${wide}`).toMatchObject({
        status: 400,
        body: { code: 'InvalidInput' },
      });
});

test('lists the purchases that a payment of a payout pays', async () => {
  await makeGroup('paying', 'holdDays: 0,');
  const ids: string[] = [];
  for (const [member, at] of [
    ['A', '2024-05-01T12:00:00.000Z'],
    ['A', '2024-05-02T12:00:00.000Z'],
    ['A', '2024-05-03T12:00:00.000Z'],
    ['B', '2024-05-04T12:00:00.000Z'],
  ] as const)
    ids.push((await earn('paying', member, 100, { transactionDate: at })).transactionId);
  await settle();
  const [payout] = await create('paying');
  await earn('paying', 'A', 100);
  await settle();
  const owner = await asRole(service(), 'owner');
  const ofPayout = `creator=acc_paying_A&payout=${payout?.batchId}`;
  expect(await listAll(owner, ofPayout)).toEqual(ids.slice(0, 3).toReversed());
  expect(await listAll(owner, `${ofPayout}&group=paying&sort=oldest`)).toEqual(ids.slice(0, 3));
  expect(await listAll(owner, `${ofPayout}&from=2024-05-03T00:00:00Z`)).toEqual([ids[2]]);
  expect(await listAll(owner, `${ofPayout}&group=main`)).toEqual([]);
  expect(await listAll(owner, `creator=acc_paying_B&payout=${payout?.batchId}`)).toEqual([ids[3]]);
  expect((await owner('GET', `/transaction-count?${ofPayout}`)).body).toEqual({ count: 3, isExact: true });
  expect((await owner('GET', `/transaction-sums?${ofPayout}`)).body.currencies).toMatchObject([
    { rowCount: 3, shareMinor: '300' },
  ]);
  const rival = await asRole(service(), 'owner', 'rival');
  expect(await listAll(rival, ofPayout)).toEqual([]);
  for (const bad of [
    `payout=${payout?.batchId}`,
    `code=M-A&creator=acc_paying_A&payout=${payout?.batchId}`,
    'creator=acc_paying_A&payout=1042',
  ])
    expect(await owner('GET', `/transactions?${bad}`), bad).toMatchObject({
      status: 400,
      body: { code: 'InvalidInput' },
    });
});
