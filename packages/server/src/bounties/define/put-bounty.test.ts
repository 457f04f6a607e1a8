import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { entriesOf } from '../../../test/audit.ts';
import { bounty, eventsOf, purchases, useBounties } from '../../../test/bounties.ts';
import { testActor } from '../../../test/test-actor.ts';
import { toBountyId } from '../../platform/ids.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { BountyInput } from './bounty-input.ts';
import { endBounty } from './end-bounty.ts';
import { putBounty } from './put-bounty.ts';

const at = useBounties();
const { defineAll, earn, settle, group } = at;
afterEach(() => at.expectSound());

const input = (changes: Record<string, unknown> = {}): BountyInput =>
  bounty(changes) as unknown as BountyInput;
const put = (terms: BountyInput, groupId = group()) =>
  putBounty(at.db(), testActor, { publisherId: 'aurora', groupId, ...terms });
const refusalOf = async (work: () => Promise<unknown>): Promise<Refusal> => {
  const error = await work().then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Refusal)) throw new Error(`not a refusal: ${error}`);
  return error;
};

test('saving a bounty adds one audit entry in the same commit: the whole definition, or the changes', async () => {
  const terms = input({
    limit: null,
    objectives: [{ id: `${group()}-o`, ...purchases(2, { skus: [{ id: 'sword' }] }) }],
    rewards: [{ id: `${group()}-r`, name: 'Bonus', type: 'Payment', amount: 500, currency: 'USD' }],
  });
  const target = `bounty:${terms.id}`;
  const made = await entriesOf(at.db(), () => put(terms));
  expect(made).toMatchObject([
    {
      publisher_id: 'aurora',
      actor_kind: 'command',
      actor_id: 'tester',
      action: 'bounty.put',
      target,
      before: null,
      after: {
        group: group(),
        name: terms.name,
        description: null,
        limit: null,
        startsAt: '2024-01-01T00:00:00.000Z',
        endsAt: null,
        prerequisites: [],
        objectives: [
          {
            id: `${group()}-o`,
            name: 'Sell',
            type: 'Purchase',
            condition: 'Count',
            count: 2,
            currency: null,
            eventCode: null,
            skus: [{ id: 'sword', name: 'sword' }],
          },
        ],
        rewards: [{ name: 'Bonus', type: 'Payment', amount: 500, currency: 'USD', sku: null }],
      },
    },
  ]);
  const rows = await at.query(sql<{ xmin: string }>`select xmin from bounty where bounty_id = ${terms.id}`);
  expect(rows).toEqual([{ xmin: made[0]?.xmin }]);

  expect(
    await entriesOf(at.db(), async () => expect(await put(terms)).toMatchObject({ isChanged: false })),
  ).toEqual([]);
  const changed = { ...terms, name: 'Renamed', endsAt: '2030-01-01T00:00:00Z' };
  expect(await entriesOf(at.db(), () => put(changed))).toMatchObject([
    {
      target,
      before: { name: terms.name, endsAt: null },
      after: { name: 'Renamed', endsAt: '2030-01-01T00:00:00.000Z' },
    },
  ]);
});

test('entries show the URL of an image without its query, which may contain a secret, but a change of the query counts', async () => {
  const terms = (signature: string) => ({ ...signed, imageSrc: `https://a.example/b.png?sig=${signature}` });
  const signed = input();
  const shown = { imageSrc: 'https://a.example/b.png?…' };
  const made = await entriesOf(at.db(), () => put(terms('hush')));
  expect(made).toMatchObject([{ before: null, after: shown }]);
  const changed = await entriesOf(at.db(), () => put(terms('hush-hush')));
  expect(changed).toMatchObject([{ before: shown, after: shown }]);
  expect(JSON.stringify([made, changed])).not.toContain('hush');
  const rows = await at.query(sql`select image_src from bounty where bounty_id = ${signed.id}`);
  expect(rows).toEqual([{ image_src: 'https://a.example/b.png?sig=hush-hush' }]);
  expect(await entriesOf(at.db(), () => put(terms('hush-hush')))).toEqual([]);
  const without = await entriesOf(at.db(), () => put(signed));
  expect(without).toMatchObject([{ before: shown, after: { imageSrc: null } }]);
});

test('when many requests save the same bounty at once, one creates it and the others change nothing', async () => {
  for (const terms of [input(), { ...input(), id: undefined }]) {
    const said = JSON.parse(JSON.stringify(terms)) as BountyInput;
    let results: Awaited<ReturnType<typeof put>>[] = [];
    const entries = await entriesOf(at.db(), async () => {
      results = await Promise.all(Array.from({ length: 10 }, () => put(said)));
    });
    expect(entries.map(({ action }) => action)).toEqual(['bounty.put']);
    expect(new Set(results.map(({ bountyId }) => bountyId)).size).toBe(1);
    expect(results.filter(({ isChanged }) => isChanged)).toHaveLength(1);
  }
});

test('a file adds an entry for each bounty that it changes, and none when it is rejected', async () => {
  const [one, two, three] = [bounty(), bounty(), bounty()];
  const inFile = (all: object[]) => () => defineAll(all as Record<string, unknown>[]);
  const made = await entriesOf(at.db(), inFile([one, two]));
  expect(made.map(({ actor_kind, action, target }) => [actor_kind, action, target])).toEqual([
    ['program-file', 'bounty.put', `bounty:${one.id}`],
    ['program-file', 'bounty.put', `bounty:${two.id}`],
  ]);
  const again = [one, { ...two, prerequisites: [one.id] }];
  expect(await entriesOf(at.db(), inFile(again))).toMatchObject([
    { target: `bounty:${two.id}`, before: { prerequisites: [] }, after: { prerequisites: [one.id] } },
  ]);
  expect(await entriesOf(at.db(), inFile(again))).toEqual([]);
  const bad = [...again, three, { ...bounty(), prerequisites: ['unknown'] }];
  expect(await entriesOf(at.db(), () => refusalOf(inFile(bad)))).toEqual([]);
});

test('errors have their path in the input, and a file reports all of them at once, one per line', async () => {
  const objective = { name: 'a', type: 'Purchase', condition: 'Amount', count: 1 };
  for (const [changes, code, path] of [
    [{ objectives: [purchases(1), objective] }, 'InvalidInput', ['objectives', 1, 'currency']],
    [{ rewards: [{ name: 'r', type: 'Sku' }] }, 'InvalidInput', ['rewards', 0, 'sku']],
    [{ endsAt: '2023-01-01T00:00:00Z' }, 'InvalidDate', ['endsAt']],
    [{ prerequisites: ['unknown'] }, 'BountyNotFound', ['prerequisites', 0]],
  ] as const) {
    const refusal = await refusalOf(() => put(input(changes)));
    expect([refusal.code, refusal.path]).toEqual([code, path]);
  }
  const begun = input();
  await put(begun);
  await earn(group(), 'A', 5);
  await settle();
  const other = await refusalOf(() => put({ ...begun, objectives: [eventsOf('x', 1)] as never }));
  expect([other.code, other.path]).toEqual(['Conflict', ['objectives', 0, 'type']]);
  expect(await refusalOf(() => put(input(), 'nowhere'))).toMatchObject({ code: 'NotFound', path: null });

  const file = `publisher: { id: aurora }
groups:
  - id: ${group()}
    bounties:
      - { name: A, startsAt: 2024-01-01T00:00:00Z, endsAt: 2023-01-01T00:00:00Z, objectives: [ { name: o, type: Purchase, count: 1 } ], rewards: [ { name: r, type: External } ] }
      - { name: B, startsAt: 2024-01-01T00:00:00Z, objectives: [ { name: o, type: Event, count: 1 } ], rewards: [ { name: r, type: External } ] }`;
  const { message } = await refusalOf(() => at.service().provision(file));
  expect(message).toBe(
    'test.yaml:5: endsAt must be after startsAt\ntest.yaml:6: objectives[0].eventCode is required for the type Event',
  );
});

test('ending a bounty adds one entry, even if it is already over, and no entry the second time', async () => {
  const now = new Date('2026-01-01T00:00:00.000Z');
  const [open, over] = [input(), input({ endsAt: '2025-01-01T00:00:00Z' })];
  await put(open);
  await put(over);
  const end = (bountyId: string | undefined, publisherId = 'aurora') =>
    endBounty(at.db(), testActor, { publisherId, bountyId: toBountyId(bountyId ?? '') }, now);
  const entries = await entriesOf(at.db(), async () => {
    for (const { id } of [open, over, open, over]) await end(id);
    expect((await refusalOf(() => end('nothing'))).code).toBe('NotFound');
    expect((await refusalOf(() => end(open.id, 'rival'))).code).toBe('NotFound');
  });
  const after = { endsAt: now.toISOString(), isEnded: true };
  const past = '2025-01-01T00:00:00.000Z';
  expect(entries).toMatchObject([
    { action: 'bounty.end', target: `bounty:${open.id}`, before: { endsAt: null, isEnded: false }, after },
    {
      action: 'bounty.end',
      target: `bounty:${over.id}`,
      before: { endsAt: past, isEnded: false },
      after: { endsAt: past, isEnded: true },
    },
  ]);
  expect(entries).toHaveLength(2);
  const rows = await at.query(sql<{ xmin: string }>`select xmin from bounty where bounty_id = ${open.id}`);
  expect(rows).toEqual([{ xmin: entries[0]?.xmin }]);
  const longer = { ...over, endsAt: '2040-01-01T00:00:00Z' };
  expect(await entriesOf(at.db(), () => put(longer))).toEqual([]);
});
