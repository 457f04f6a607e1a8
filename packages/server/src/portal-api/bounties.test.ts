import { expect, test } from 'vitest';
import { bounty } from '../../test/bounties.ts';
import { settleAll } from '../../test/money.ts';
import { usePortal } from '../../test/portal.ts';
import { completeBounties } from '../bounties/complete/complete-bounties.ts';

const portal = await usePortal();
const { creator, makeGroup, provisionGroup, earn, db, refund } = portal;

// biome-ignore lint/suspicious/noExplicitAny: tests look into responses
type Json = any;

async function check(): Promise<void> {
  await settleAll(db());
  while ((await completeBounties(db(), 'aurora', new Date())).checked > 0);
}

test('shows progress, what is missing, the reward and completions, of this creator only', async () => {
  await makeGroup('goals', 'holdDays: 0,');
  const amount = (id: string, target: number, changes: object = {}) =>
    bounty({
      id,
      name: id,
      objectives: [
        { name: 'Sell', type: 'Purchase', condition: 'Amount', count: target, currency: 'JPY' },
        { name: 'Any', type: 'Purchase', condition: 'Count', count: 2 },
      ],
      rewards: [{ name: 'Bonus', type: 'Payment', amount: 12_345, currency: 'BHD' }],
      ...changes,
    });
  await provisionGroup(
    'goals',
    `bounties: ${JSON.stringify([
      amount('first', 1_000, { limit: 2, description: 'Sell in yen' }),
      amount('later', 500, { startsAt: '2090-01-01T00:00:00Z' }),
      amount('after', 100, { prerequisites: ['first'] }),
      amount('over', 100, { endsAt: '2024-12-31T00:00:00Z' }),
      amount('missed', 100, { startsAt: '2024-02-01T00:00:00Z', endsAt: '2024-03-01T00:00:00Z' }),
    ])}`,
  );
  const browser = await creator('goals@example.com', 'acc_goals_A');
  const list = async (state = ''): Promise<Json[]> => {
    const { status, body } = await browser.get(`/bounties?publisher=aurora${state && `&state=${state}`}`);
    expect(status).toBe(200);
    return body.rows;
  };
  const named = async (name: string, state = ''): Promise<Json> =>
    (await list(state)).find((each) => each.name === name);
  expect(await named('first')).toMatchObject({
    groupId: 'goals',
    accountId: 'acc_goals_A',
    description: 'Sell in yen',
    state: 'running',
    limit: 2,
    completionCount: 0,
    isComplete: false,
    objectives: [
      { name: 'Sell', condition: 'Amount', currency: 'JPY', target: '1000', count: '0', missing: '1000' },
      { name: 'Any', condition: 'Count', currency: null, target: '2', count: '0', missing: '2' },
    ],
    rewards: [{ name: 'Bonus', type: 'Payment', amountMinor: '12345', currency: 'BHD' }],
    completions: [],
  });
  expect((await list('coming')).map(({ name }) => name)).toEqual(['later']);
  expect(await list('over')).toEqual([]);
  const { transactionId } = await earn('goals', 'A', 700, { currency: 'JPY' });
  await earn('goals', 'B', 900, { currency: 'JPY' });
  await check();
  expect(await named('first')).toMatchObject({
    objectives: [
      { count: '700', missing: '300' },
      { count: '1', missing: '1' },
    ],
  });
  expect(await named('after')).toMatchObject({ prerequisites: [{ name: 'first', isComplete: false }] });
  await earn('goals', 'A', 400, { currency: 'JPY' });
  await check();
  expect(await named('first')).toMatchObject({
    completionCount: 1,
    isComplete: false,
    objectives: [
      { count: '100', missing: '900' },
      { count: '0', missing: '2' },
    ],
    completions: [{ number: 1, rewards: [{ name: 'Bonus', isDelivered: true }] }],
  });
  expect(await named('after')).toMatchObject({ prerequisites: [{ isComplete: true }] });
  expect((await list('over')).map(({ name }) => name)).toEqual(['over']);
  // The reward is money that Home shows, too.
  const { currencies } = (await browser.get('/home?publisher=aurora')).body.groups[0];
  const bonus =
    12_345n *
    BigInt(
      (await Promise.all([named('first'), named('after'), named('over', 'over')])).reduce(
        (sum, each) => sum + each.completionCount,
        0,
      ),
    );
  expect(currencies.find(({ currency }: Json) => currency === 'BHD')).toMatchObject({
    balanceMinor: String(bonus),
  });
  await refund(transactionId, { refundId: 'back', reason: 'Refund' });
  await check();
  expect(await named('first')).toMatchObject({
    completionCount: 1,
    objectives: [{ count: '0' }, { count: '0' }],
  });

  const pages: Json[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await browser.get(`/bounties?publisher=aurora&limit=1${cursor && `&cursor=${cursor}`}`);
    pages.push(...body.rows);
    if (body.nextCursor === null) break;
    cursor = body.nextCursor;
  }
  expect(pages.map(({ name }) => name)).toEqual((await list()).map(({ name }) => name));
  expect(await browser.get('/bounties?publisher=aurora&state=done')).toMatchObject({ status: 400 });
  const other = await creator('goals-other@example.com', await portal.makeMember('moba', 'GOALS-OTHER'));
  expect((await other.get('/bounties?publisher=aurora')).body.rows).toEqual([]);
});
