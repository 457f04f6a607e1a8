import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
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
