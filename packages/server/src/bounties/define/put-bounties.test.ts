import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import {
  amount,
  bounty,
  eventsOf,
  longAgo,
  newPlayers,
  purchases,
  useBounties,
} from '../../../test/bounties.ts';
import { purchase } from '../../../test/fixtures.ts';
import { testActor } from '../../../test/test-actor.ts';
import { connect } from '../../../test/test-database.ts';
import { useService } from '../../../test/test-service.ts';
import { toBountyId } from '../../platform/ids.ts';
import { endBounty } from './end-bounty.ts';

const at = useBounties();
const { define, defineAll, earn, patch, settle, settleAndCheck, check, standing, group, query } = at;
const demo = useService();
afterEach(() => at.expectSound());

const tables = [
  'bounty',
  'bounty_prerequisite',
  'bounty_objective',
  'bounty_reward',
  'bounty_contribution',
  'bounty_total',
  'bounty_progress',
];
/** Reads every row of all definitions and counts, including each row's version. */
const everything = async () =>
  Promise.all(
    tables.map((table) =>
      query(sql`select t.*, t.xmin::text from ${sql.table(table)} t order by 1, 2, 3, 4`),
    ),
  );
const shown = async (id: string, groupId = at.group()) =>
  (await at.bounties('GET', `/bounties/${id}?groupId=${groupId}`)).body.bounty;

describe('rejects a whole file with the line of the mistake, for a bounty', () => {
  const good = {
    objectives: '[ { name: a, type: Purchase, count: 1 } ]',
    rewards: '[ { name: r, type: External } ]',
  };
  const line = (parts: Record<string, string>) =>
    `- { ${Object.entries({ id: 'bad', name: 'Bad', startsAt: '2024-01-01T00:00:00Z', ...good, ...parts })
      .filter(([, value]) => value !== '')
      .map(([name, value]) => `${name}: ${value}`)
      .join(', ')} }`;
  const objective = (text: string) => ({ objectives: `[ { name: a, count: 1, ${text} } ]` });
  const reward = (text: string) => ({ rewards: `[ { name: a, ${text} } ]` });

  test.each([
    ['without a name', { name: '' }, 'name is required'],
    ['without a start', { startsAt: '' }, 'startsAt is required'],
    ['with a date without a time', { startsAt: '2024-01-01' }, 'startsAt must be a timestamp'],
    ['that ends when it starts', { endsAt: '2024-01-01T00:00:00Z' }, 'endsAt must be after startsAt'],
    ['without objectives', { objectives: '' }, 'objectives is required'],
    ['with no objectives', { objectives: '[]' }, 'objectives must have at least 1 entry'],
    ['without rewards', { rewards: '' }, 'rewards is required'],
    ['with the limit 0', { limit: '0' }, 'limit must be'],
    ['with a fractional limit', { limit: '1.5' }, 'limit must be'],
    ['with a bad id', { id: '"a b"' }, 'id must be: 1 to 64'],
    [
      'with an unknown field',
      { endDate: '2025-01-01T00:00:00Z' },
      'contains "endDate", which is not one of the allowed properties',
    ],
    ['with an invalid image URL', { imageSrc: 'ftp://x' }, 'imageSrc must be an http'],
    ['with an unknown type', objective('type: Sale'), 'type must be one of Purchase, NewPlayers, Event'],
    [
      'with a count of 0',
      { objectives: '[ { name: a, type: Purchase, count: 0 } ]' },
      'count must be at least 1',
    ],
    [
      'with too high a count',
      { objectives: '[ { name: a, type: Purchase, count: 9007199254740992 } ]' },
      'count must be at most',
    ],
    [
      'with an Amount without a currency',
      objective('type: Purchase, condition: Amount'),
      'currency is required for an Amount',
    ],
    [
      'with an Amount of players',
      objective('type: NewPlayers, condition: Amount, currency: USD'),
      'condition can be Amount only for the type Purchase',
    ],
    [
      'with an unknown currency',
      objective('type: Purchase, currency: XXX'),
      'currency is not an allowed value',
    ],
    ['with an Event without a code', objective('type: Event'), 'eventCode is required for the type Event'],
    [
      'with a purchase with an eventCode',
      objective('type: Purchase, eventCode: x'),
      'eventCode is only for the type Event',
    ],
    [
      'with an Event with SKUs',
      objective('type: Event, eventCode: x, skus: [ { id: s } ]'),
      'skus is not allowed for the type Event',
    ],
    [
      'with an Event with a currency',
      objective('type: Event, eventCode: x, currency: USD'),
      'currency is not allowed for the type Event',
    ],
    [
      'with a SKU listed twice',
      objective('type: Purchase, skus: [ { id: s }, { id: s } ]'),
      'SKU s is listed twice',
    ],
    [
      'with an objective listed twice',
      {
        objectives:
          '[ { id: o, name: a, type: Purchase, count: 1 }, { id: o, name: b, type: Purchase, count: 2 } ]',
      },
      'objective o is listed twice',
    ],
    ['with a Payment of 0', reward('type: Payment, amount: 0, currency: USD'), 'amount must be at least 1'],
    [
      'with a Payment without an amount',
      reward('type: Payment, currency: USD'),
      'amount is required for the type Payment',
    ],
    [
      'with a Payment without a currency',
      reward('type: Payment, amount: 5'),
      'currency is required for the type Payment',
    ],
    [
      'with an External with an amount',
      reward('type: External, amount: 5'),
      'amount is only for the type Payment',
    ],
    ['with a Sku without a SKU', reward('type: Sku'), 'sku is required for the type Sku'],
    [
      'with a Payment with a SKU',
      reward('type: Payment, amount: 5, currency: USD, sku: { id: s }'),
      'sku is only for the type Sku',
    ],
    ['that requires itself', { prerequisites: '[ bad ]' }, 'bounty bad requires itself'],
    ['that requires an unknown bounty', { prerequisites: '[ unknown ]' }, 'has no bounty unknown'],
    [
      'that requires a bounty of another group',
      { prerequisites: '[ elsewhere ]' },
      'has no bounty elsewhere',
    ],
    [
      'with a prerequisite listed twice',
      { prerequisites: '[ first, first ]' },
      'bounty first is listed twice',
    ],
    ['that requires itself through others', { prerequisites: '[ first ]' }, 'requires itself through others'],
    ['that is listed twice', { id: 'first' }, 'bounty first is listed twice'],
    ['of another group', { id: 'elsewhere' }, 'bounty elsewhere belongs to group moba'],
    [
      'with the objective of another bounty',
      { objectives: '[ { id: theirs, name: a, type: Purchase, count: 1 } ]' },
      'the id theirs belongs to bounty elsewhere',
    ],
    [
      'with the reward of another bounty',
      { rewards: '[ { id: theirs, name: a, type: External } ]' },
      'the id theirs belongs to bounty elsewhere',
    ],
  ])('%s', async (_what, parts: Record<string, string>, message) => {
    await at
      .service()
      .provision(
        `{ publisher: { id: aurora }, groups: [ { id: moba, bounties: [ { id: elsewhere, name: E, startsAt: 2024-01-01T00:00:00Z, objectives: [ { id: theirs, name: a, type: Purchase, count: 1 } ], rewards: [ { id: theirs, name: r, type: External } ] } ] } ] }`,
      );
    const before = await everything();
    const isCircle = parts.prerequisites === '[ first ]';
    const first = line({ id: 'first', name: 'First', ...(isCircle && { prerequisites: '[ bad ]' }) });
    const file = `publisher: { id: aurora }
groups:
  - id: ${group()}
    name: Changed
    bounties:
      ${first}
      ${line(parts)}`;
    // Both bounties are part of the cycle. The error names the first bounty.
    await expect(at.service().provision(file)).rejects.toThrow(
      new RegExp(`^test\\.yaml:${isCircle ? 6 : 7}: .*${message}`),
    );
    expect(await everything()).toEqual(before);
  });
});

describe('a file applied again', () => {
  test('changes no row, whether ids are given or generated', async () => {
    const given = bounty({ objectives: [purchases(3), eventsOf('x', 1)], endsAt: '2030-01-01T00:00:00Z' });
    const { id: _, ...made } = bounty({ name: `Made ${group()}`, limit: null, prerequisites: [given.id] });
    await defineAll([given, made]);
    await earn(group(), 'A', 5);
    await settleAndCheck();
    const before = await everything();
    await defineAll([given, made]);
    expect(await everything()).toEqual(before);
    const { body } = await at.bounties('GET', `/bounties?groupId=${group()}`);
    expect(body.bounties).toHaveLength(2);
  });

  test("doesn't wait for a posting in progress", async () => {
    const made = bounty();
    await defineAll([made]);
    const client = await connect(at.service().testDatabase.connection);
    await client.query('begin');
    await client.query("select pg_advisory_xact_lock_shared(1954, hashtext('aurora'))");
    await defineAll([made]);
    await client.query('rollback');
  });

  test('changes names, descriptions, end and limit of a bounty that has begun, and keeps its counts', async () => {
    const made = bounty({ objectives: [purchases(2)] });
    await defineAll([made]);
    await earn(group(), 'A', 5);
    await settle();
    await defineAll([
      {
        ...made,
        name: 'New',
        description: 'D',
        imageSrc: 'https://a.example/',
        rewardDescription: 'R',
        endsAt: '2040-01-01T00:00:00Z',
        limit: 7,
        objectives: [purchases(2, { name: 'New name' })],
        rewards: [{ name: 'New trophy', type: 'External', externalId: 'new' }],
      },
    ]);
    expect(await shown(String(made.id))).toMatchObject({
      name: 'New',
      description: 'D',
      limit: 7,
      endsAt: '2040-01-01T00:00:00.000Z',
      objectives: [{ name: 'New name' }],
      rewards: [{ name: 'New trophy', externalId: 'new' }],
    });
    expect(await standing(String(made.id))).toBe('0/1');
    await defineAll([made]);
    const bare = await shown(String(made.id));
    for (const name of ['description', 'imageSrc', 'rewardDescription', 'endsAt'])
      expect(bare).not.toHaveProperty(name);
  });

  test.each([
    ['type', newPlayers(2, { name: 'Sell' })],
    ['count', purchases(3)],
    ['currency', purchases(2, { currency: 'USD' })],
    ['skus', purchases(2, { skus: [{ id: 's' }] })],
    ['condition', amount(2)],
    ['type', eventsOf('x', 2)],
  ])(
    "can't change %s of an objective that has begun, but can replace the objective",
    async (what, objective) => {
      const made = bounty({ objectives: [purchases(2)] });
      const id = String(made.id);
      await defineAll([made]);
      await defineAll([{ ...made, objectives: [objective] }]);
      await defineAll([made]);
      await earn(group(), 'A', 5);
      await settle();
      await expect(defineAll([{ ...made, objectives: [objective] }])).rejects.toThrow(
        `test.yaml:1: ${what} of an objective that has begun can't change; add a new objective with an id other than `,
      );
      expect(await standing(id)).toBe('0/1');
      await defineAll([{ ...made, objectives: [{ ...objective, id: `${id}-new` }] }]);
      expect((await shown(id)).objectives).toMatchObject([{ id: `${id}-new` }]);
    },
  );

  test("can't change the start of a bounty that has begun or a reward that was given, but can replace the reward", async () => {
    const money = { id: `${group()}-r`, name: 'Bonus', type: 'Payment', amount: 5, currency: 'USD' };
    const made = bounty({ limit: null, rewards: [money] });
    await defineAll([{ ...made, startsAt: '2023-01-01T00:00:00Z', rewards: [{ ...money, amount: 6 }] }]);
    await defineAll([made]);
    await earn(group(), 'A', 5);
    await settleAndCheck();
    await expect(defineAll([{ ...made, startsAt: '2023-01-01T00:00:00Z' }])).rejects.toThrow(
      "startsAt of a bounty that has begun can't change",
    );
    await expect(defineAll([{ ...made, rewards: [{ ...money, amount: 6 }] }])).rejects.toThrow(
      "amount of a reward that was given can't change; add a new reward with an id other than ",
    );
    await defineAll([{ ...made, rewards: [{ ...money, id: `${group()}-r2`, amount: 6 }] }]);
    await earn(group(), 'A', 5);
    await settleAndCheck();
    expect(
      await at.number(sql`select sum(amount_minor) as n from reward_payment where group_id = ${group()}`),
    ).toBe(11n);
    expect((await at.given(String(made.id))).map(({ type }) => type)).toEqual(['Payment', 'Payment']);
  });

  test('removes objectives that are no longer listed, and recounts them when they are listed again', async () => {
    const [one, two] = [
      { id: `${group()}-1`, ...purchases(9) },
      { id: `${group()}-2`, ...amount(900) },
    ];
    const made = bounty({ objectives: [one, two] });
    const id = String(made.id);
    await defineAll([made]);
    await earn(group(), 'A', 5);
    await settle();
    await defineAll([{ ...made, objectives: [two] }]);
    await earn(group(), 'A', 7);
    await settle();
    expect(await standing(id)).toBe('0/12');
    await defineAll([{ ...made, objectives: [two, one] }]);
    expect(await standing(id)).toBe('0/12,2');
  });
});

describe('rows that are already posted', () => {
  test('count for a new bounty, except refunded ones, and for a new objective', async () => {
    const playerId = `before-${group()}`;
    await earn(group(), 'A', 5, { playerId, skuId: 'sword' });
    const { transactionId } = await earn(group(), 'A', 7);
    await earn(group(), 'B', 11);
    await earn(group(), 'A', 13, { status: 'Test' });
    await earn(group(), 'A', 17, { transactionDate: '2023-12-31T23:59:59.999Z' });
    await settle();
    await patch(transactionId, { form: { action: 'Refund' } });
    await earn(group(), 'A', 19);
    const made = bounty({ objectives: [amount(1_000)] });
    const id = String(made.id);
    await defineAll([made]);
    expect([await standing(id), await standing(id, 'B')]).toEqual(['0/5', '0/11']);
    await settle();
    expect(await standing(id)).toBe('0/24');
    await defineAll([{ ...made, objectives: [amount(1_000), purchases(9, { skus: [{ id: 'sword' }] })] }]);
    expect(await standing(id)).toBe('0/24,1');
  });

  test('complete a bounty that is defined afterward', async () => {
    await earn(group(), 'A', 5);
    await settle();
    const id = await define();
    expect(await check()).toBe(1);
    expect(await standing(id)).toBe('1/1');
  });

  test('are recounted when the window changes', async () => {
    const made = bounty({ endsAt: '2024-06-01T00:00:00Z', objectives: [purchases(9)] });
    const id = String(made.id);
    await defineAll([made]);
    for (const month of ['05', '06', '07'])
      await earn(group(), 'A', 5, { transactionDate: `2024-${month}-10T00:00:00Z` });
    await settle();
    expect(await standing(id)).toBe('0/1');
    await defineAll([{ ...made, endsAt: '2024-07-01T00:00:00Z' }]);
    expect(await standing(id)).toBe('0/2');
    const { endsAt: _, ...endless } = made;
    await defineAll([endless]);
    expect(await standing(id)).toBe('0/3');
    await defineAll([made]);
    expect(await standing(id)).toBe('0/1');
  });

  test('are neither missed nor counted twice by bounties defined during postings and reversals', async () => {
    const sold = await Promise.all(Array.from({ length: 60 }, () => earn(group(), 'A', 10)));
    const made = Array.from({ length: 6 }, () => bounty({ objectives: [purchases(999), amount(99_999)] }));
    await Promise.all([
      ...Array.from({ length: 4 }, settle),
      ...made.map((each) => defineAll([each])),
      ...sold.slice(0, 15).map(({ transactionId }) => patch(transactionId, { form: { action: 'Refund' } })),
      ...Array.from({ length: 20 }, () => earn(group(), 'A', 10)),
    ]);
    await settle();
    for (const { id } of made) expect(await standing(String(id))).toBe('0/65,650');
  });

  test("don't count a player as new who bought before the publisher's first bounty for new players", async () => {
    const rival = { key: at.keys().rival };
    const buy = async (playerId: string) => {
      const sent = purchase({ code: 'RIVAL', transactionDate: longAgo, playerId });
      expect((await at.record(sent, rival)).status).toBe(200);
      await settle();
    };
    const first = `{ publisher: { id: rival }, groups: [ { id: main, bounties: [ { id: newcomers, name: N, startsAt: 2024-01-01T00:00:00Z,
      objectives: [ { name: n, type: NewPlayers, count: 99 } ], rewards: [ { name: r, type: External } ] } ] } ] }`;
    await buy('old');
    await buy('old');
    expect(
      await at.number(sql`select count(*) as n from player_first_purchase where publisher_id = 'rival'`),
    ).toBe(0n);
    await at.service().provision(first);
    await buy('old');
    await buy('young');
    await buy('young');
    const { body } = await at.bounties('GET', '/bounties/newcomers?includeProgress=true', rival);
    expect(body.progress.data[0].currentObjectives[0].count).toBe(2);
  });
});

describe('a bounty that is ended manually', () => {
  test('ends now, counts nothing dated later, and is not reopened by a file', async () => {
    const made = bounty({ objectives: [purchases(9)] });
    const id = String(made.id);
    await defineAll([made]);
    await earn(group(), 'A', 5, { transactionDate: '2025-12-31T23:59:59.999Z' });
    await earn(group(), 'A', 5, { transactionDate: '2026-01-01T00:00:00.000Z' });
    await settle();
    expect(await standing(id)).toBe('0/2');
    const now = new Date('2026-01-01T00:00:00.000Z');
    expect(
      await endBounty(at.db(), testActor, { publisherId: 'aurora', bountyId: toBountyId(id) }, now),
    ).toEqual(now);
    expect(await standing(id)).toBe('0/1');
    expect(
      await endBounty(
        at.db(),
        testActor,
        { publisherId: 'aurora', bountyId: toBountyId(id) },
        new Date('2027-01-01T00:00:00Z'),
      ),
    ).toEqual(now);
    const before = await everything();
    await defineAll([made]);
    expect(await everything()).toEqual(before);
    await defineAll([{ ...made, name: 'Renamed', endsAt: '2040-01-01T00:00:00Z' }]);
    expect(await shown(id)).toMatchObject({ name: 'Renamed', endsAt: now.toISOString() });
  });

  test('before its start never starts', async () => {
    const id = await define({ startsAt: '2030-01-01T00:00:00Z' });
    const end = await endBounty(
      at.db(),
      testActor,
      { publisherId: 'aurora', bountyId: toBountyId(id) },
      new Date('2026-01-01T00:00:00Z'),
    );
    expect(end).toEqual(new Date('2030-01-01T00:00:00Z'));
    await earn(group(), 'A', 5, { transactionDate: '2030-01-01T00:00:00Z' });
    await settle();
    expect(await standing(id)).toBe('not begun');
  });

  test('is rejected if it is unknown', async () => {
    await expect(
      endBounty(at.db(), testActor, { publisherId: 'aurora', bountyId: toBountyId('nothing') }, at.now()),
    ).rejects.toThrow('has no bounty nothing');
    const id = await define();
    await expect(
      endBounty(at.db(), testActor, { publisherId: 'rival', bountyId: toBountyId(id) }, at.now()),
    ).rejects.toThrow('has no bounty');
  });
});

test('the demo program includes a bounty', async () => {
  const text = readFileSync(new URL('../../../../../examples/demo-program.yaml', import.meta.url), 'utf8');
  const [key] = await demo().provision(text);
  const { body } = await demo().call('GET', '/v1/bounties', { key: key?.key ?? null });
  expect(body.bounties.length).toBeGreaterThan(0);
});
