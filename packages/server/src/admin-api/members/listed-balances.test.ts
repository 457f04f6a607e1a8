import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Asking, asEveryRole, asRole } from '../../../test/admin.ts';
import { useLinking } from '../../../test/linking.ts';

const linking = useLinking();
const { service, query, earn, settle, makeGroup, makeEmptyGroup, generate, makeMember, linked } = linking;
let viewer: Asking;
beforeAll(async () => {
  viewer = await asRole(service(), 'viewer');
});
afterAll(() => linking.expectSound());

interface Row {
  memberId: string;
  membershipId?: string;
  balances: { currency: string; balanceMinor: string }[];
}

/** Returns the listed balances of a group, as text, by creator. */
async function listed(group: string, ask = viewer, more = ''): Promise<Record<string, string[]>> {
  const { status, body } = await ask('GET', `/members?group=${group}${more}`);
  expect(status).toBe(200);
  return Object.fromEntries(
    (body.rows as Row[]).map((row) => {
      expect(row).not.toHaveProperty('membershipId');
      return [row.memberId, row.balances.map(({ currency, balanceMinor }) => `${balanceMinor} ${currency}`)];
    }),
  );
}

test('each creator is listed with the balance in each currency, without balances of zero', async () => {
  await makeGroup('many');
  await earn('many', 'A', 250);
  await earn('many', 'A', 7, { currency: 'JPY' });
  await earn('many', 'A', 1_200, { currency: 'EUR' });
  expect(await listed('many')).toEqual({ acc_many_A: [], acc_many_B: [] }); // not posted yet
  await settle();
  expect(await listed('many')).toEqual({ acc_many_A: ['1200 EUR', '7 JPY', '250 USD'], acc_many_B: [] });
  await linking.create('many', null, 'EUR');
  expect(await listed('many')).toEqual({ acc_many_A: ['7 JPY', '250 USD'], acc_many_B: [] });
});

test('a balance is negative after a clawback, exact however large it is, and stays listed after a removal', async () => {
  await makeGroup('owing');
  const { id } = await earn('owing', 'A', 900);
  await earn('owing', 'B', 50);
  await settle();
  const [batch] = await linking.create('owing');
  await linking.markPaid(batch?.batchId ?? '');
  await linking.clawBack(id, 'Fraud');
  expect(await listed('owing')).toEqual({ acc_owing_A: ['-900 USD'], acc_owing_B: [] });
  const owner = await asRole(service(), 'owner');
  await owner('POST', '/members/acc_owing_A/remove?group=owing', { reason: 'Left' });
  expect(await listed('owing')).toEqual({ acc_owing_B: [] });
  expect(await listed('owing', viewer, '&status=Removed')).toEqual({ acc_owing_A: ['-900 USD'] });

  await makeGroup('large');
  await earn('large', 'A', 9_007_199_254_740_991);
  await earn('large', 'A', 9_007_199_254_740_991);
  await settle();
  expect(await listed('large')).toEqual({ acc_large_A: ['18014398509481982 USD'], acc_large_B: [] });
});

test('balances of memberships that were merged count toward the creator who claimed them', async () => {
  await makeEmptyGroup('merged');
  const creator = await makeMember('merged', 'Claimer');
  const other = await makeMember('merged', 'Other');
  const code = await generate('merged', 'player');
  await earn('merged', 'A', 100, { code });
  await earn('merged', 'A', 30, { code, currency: 'EUR' });
  await earn('merged', 'A', 2, { code: 'Other' });
  await earn('merged', 'A', 3, { code: 'Claimer' });
  await settle();
  await linked('merged', creator, 'player');
  await earn('merged', 'A', 100, { code });
  await earn('merged', 'A', 5, { code: 'Claimer' });
  await settle();
  expect(await listed('merged')).toEqual({
    [creator]: ['30 EUR', '208 USD'],
    [other]: ['2 USD'],
  });
  const { body } = await viewer('GET', `/members/${creator}?group=merged`);
  expect(
    body.money.map((each: { currency: string; balanceMinor: string }) => [each.currency, each.balanceMinor]),
  ).toEqual([
    ['EUR', '30'],
    ['USD', '208'],
  ]);
});

test('each page has the balances of its own creators', async () => {
  const numbers = Array.from({ length: 60 }, (_, index) => index);
  const members = numbers.map((n) => `{ id: paged_${n}, codes: [ { code: PAGED-${n}, group: paged } ] }`);
  await linking.provisionGroup('paged', `revShare: 10, members: [ ${members.join(', ')} ]`);
  for (const n of numbers.slice(1)) await earn('paged', 'A', n, { code: `PAGED-${n}` });
  await settle();
  const first = await viewer('GET', '/members?group=paged&limit=50');
  const cursor = `&limit=50&cursor=${first.body.nextCursor}`;
  expect({
    ...(await listed('paged', viewer, '&limit=50')),
    ...(await listed('paged', viewer, cursor)),
  }).toEqual(Object.fromEntries(numbers.map((n) => [`paged_${n}`, n === 0 ? [] : [`${n} USD`]])));
});

test('every role sees the balances, as on the page of a creator, and no publisher sees those of another', async () => {
  await makeGroup('roles');
  await earn('roles', 'A', 40);
  await settle();
  const expected = { acc_roles_A: ['40 USD'], acc_roles_B: [] };
  for (const ask of Object.values(await asEveryRole(service())))
    expect(await listed('roles', ask)).toEqual(expected);

  // Even a membership with the id of another publisher's membership only has its own balance.
  await query(sql`
    insert into creator_account (account_id, name, owner_publisher_id) values ('acc_twin', 'Twin', 'rival')`);
  await query(sql`
    insert into membership (publisher_id, membership_id, group_id, account_id, status)
    select 'rival', membership_id, 'main', 'acc_twin', 'Approved'
    from membership
    where publisher_id = 'aurora' and account_id = 'acc_roles_A'`);
  const rival = await asRole(service(), 'owner', 'rival');
  expect((await listed('main', rival)).acc_twin).toEqual([]);
  expect(await listed('roles')).toEqual(expected);
});

describe('sorted by balance', () => {
  const page = async (search: string) => {
    const { status, body } = await viewer('GET', `/members?${search}`);
    expect(status).toBe(200);
    return body as { rows: Row[]; nextCursor: string | null };
  };
  const orderOf = ({ rows }: { rows: Row[] }) => rows.map(({ memberId }) => memberId);

  test('the highest balance in the currency comes first, creators without one by their age, and debts last', async () => {
    await linking.provisionGroup(
      'sorted',
      `revShare: 10, members: [ ${['A', 'B', 'C', 'D', 'E'].map((name) => `{ id: acc_sorted_${name}, codes: [ { code: S-${name}, group: sorted } ] }`).join(', ')} ]`,
    );
    await earn('sorted', 'A', 300, { code: 'S-A' });
    await earn('sorted', 'A', 9_000, { code: 'S-B', currency: 'EUR' });
    await earn('sorted', 'A', 200, { code: 'S-B' });
    await earn('sorted', 'A', 1_000, { code: 'S-D' });
    const owing = await earn('sorted', 'A', 50, { code: 'S-C' });
    await settle();
    const [batch] = await linking.create('sorted', null, 'USD');
    await linking.markPaid(batch?.batchId ?? '');
    await linking.clawBack(owing.id, 'Fraud');
    await earn('sorted', 'A', 300, { code: 'S-A' });
    await earn('sorted', 'A', 1_000, { code: 'S-D' });
    await settle();
    const names = ['D', 'A', 'E', 'B', 'C'].map((name) => `acc_sorted_${name}`);
    expect(orderOf(await page('group=sorted&balanceIn=USD'))).toEqual(names);
    expect(orderOf(await page('group=sorted&balanceIn=EUR'))[0]).toBe('acc_sorted_B');
    expect(orderOf(await page('group=sorted&balanceIn=JPY'))).toEqual(orderOf(await page('group=sorted')));
    expect(orderOf(await page('group=sorted&balanceIn=USD&q=acc_sorted_A'))).toEqual(['acc_sorted_A']);
  });

  test('pages go on where they ended, also among equal balances, and a cursor of another order is rejected', async () => {
    const numbers = Array.from({ length: 60 }, (_, index) => index);
    const members = numbers.map((n) => `{ id: equal_${n}, codes: [ { code: EQUAL-${n}, group: equal } ] }`);
    await linking.provisionGroup('equal', `revShare: 10, members: [ ${members.join(', ')} ]`);
    for (const n of numbers.slice(0, 55)) await earn('equal', 'A', 1 + (n % 2), { code: `EQUAL-${n}` });
    await settle();
    const first = await page('group=equal&balanceIn=USD&limit=50');
    const second = await page(`group=equal&balanceIn=USD&limit=50&cursor=${first.nextCursor}`);
    const minor = [...first.rows, ...second.rows].map(({ balances }) =>
      Number(balances[0]?.balanceMinor ?? 0),
    );
    expect(minor).toEqual(minor.toSorted((one, other) => other - one));
    expect(new Set([...orderOf(first), ...orderOf(second)]).size).toBe(60);
    expect(second.nextCursor).toBeNull();
    for (const other of ['', '&balanceIn=EUR'])
      expect(
        await viewer('GET', `/members?group=equal&limit=50${other}&cursor=${first.nextCursor}`),
      ).toMatchObject({ status: 400, body: { code: 'InvalidCursor' } });
    expect((await viewer('GET', '/members?balanceIn=usd')).status).toBe(400);
  });

  test('balances of merged memberships count', async () => {
    await makeEmptyGroup('mergedorder');
    const small = await makeMember('mergedorder', 'Small');
    const claimer = await makeMember('mergedorder', 'BigClaimer');
    const code = await generate('mergedorder', 'player-order');
    await earn('mergedorder', 'A', 100, { code });
    await earn('mergedorder', 'A', 50, { code: 'Small' });
    await settle();
    await linked('mergedorder', claimer, 'player-order');
    expect(orderOf(await page('group=mergedorder&balanceIn=USD'))).toEqual([claimer, small]);
  });
});
