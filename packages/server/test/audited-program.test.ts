import { describe, expect, test } from 'vitest';
import { entriesOf, type WrittenEntry } from './audit.ts';
import { useManagement } from './management.ts';
import { schedulesPath } from './schedules.ts';

const { service, keys, send, remove } = useManagement();
const db = () => service().testDatabase.database.db;

const told = ({ action, target, before, after }: WrittenEntry) => ({ action, target, before, after });
const group = (rest: string): string => `{ publisher: { id: aurora }, groups: [ { id: main, ${rest} } ] }`;
const year = (number: number): string => `20${number}-01-01T00:00:00Z`;
const bronze = '0b9f3c62-8e0d-4f7a-b1c5-6a2d9e8f4b31';
const gold = '7d0c5a3e-52f4-4c1b-9a68-0d1e6f2b7c90';
const id = 'a'.repeat(21);

describe('a program file adds one entry for each change, in one commit, and none when applied again', () => {
  test.each<[what: string, file: string, entries: unknown[]]>([
    [
      'a new publisher, its groups and their shares',
      `publisher: { id: fresh, name: Fresh }
groups:
  - { id: one, revShare: 10.5, disabledCurrencies: [BTC], tiers: [ { id: ${bronze}, name: Bronze, revShare: 15 } ] }
  - { id: two, name: Two, revShare: 1, skuRevShares: [ { skuId: pass, revShare: 7 } ] }`,
      [
        {
          action: 'publisher.put',
          target: 'publisher:fresh',
          before: null,
          after: { name: 'Fresh' },
        },
        {
          action: 'group.put',
          target: 'group:one',
          before: null,
          after: { revShare: 10.5, disabledCurrencies: ['BTC'] },
        },
        {
          action: 'tier.put',
          target: `tier:${bronze}`,
          before: null,
          after: { group: 'one', name: 'Bronze', revShare: 15 },
        },
        { action: 'group.put', target: 'group:two', before: null, after: { name: 'Two', revShare: 1 } },
        { action: 'sku-share.put', target: 'sku-share:two/pass', before: null, after: { revShare: 7 } },
        {
          action: 'group.make-default',
          target: 'group:one',
          before: { default: null },
          after: { default: 'one' },
        },
      ],
    ],
    [
      'a publisher named anew',
      'publisher: { id: aurora, name: Aurora Renamed }',
      [
        {
          action: 'publisher.put',
          target: 'publisher:aurora',
          before: { name: 'Aurora Games' },
          after: { name: 'Aurora Renamed' },
        },
      ],
    ],
    [
      'what of a group differs, and no more',
      group('name: Aurora Creators, revShare: 12.34567, holdDays: 7, payoutMinimums: { USD: 100, EUR: 5 }'),
      [
        {
          action: 'group.put',
          target: 'group:main',
          before: { revShare: 10, holdDays: 30, payoutMinimums: {} },
          after: { revShare: 12.3457, holdDays: 7, payoutMinimums: { USD: 100, EUR: 5 } },
        },
      ],
    ],
    [
      'another default group',
      '{ publisher: { id: aurora }, groups: [ { id: moba, default: true } ] }',
      [
        {
          action: 'group.make-default',
          target: 'group:moba',
          before: { default: 'main' },
          after: { default: 'moba' },
        },
      ],
    ],
    [
      "a tier's name, by its id",
      group(`tiers: [ { id: ${gold.toUpperCase()}, name: Golden, revShare: 20 } ]`),
      [
        {
          action: 'tier.put',
          target: `tier:${gold}`,
          before: { name: 'Gold' },
          after: { name: 'Golden' },
        },
      ],
    ],
    [
      "a tier's share, by its name",
      group('tiers: [ { name: Golden, revShare: 21 } ]'),
      [{ action: 'tier.put', target: `tier:${gold}`, before: { revShare: 20 }, after: { revShare: 21 } }],
    ],
    [
      'the share of a SKU',
      group('skuRevShares: [ { skuId: battle-pass, revShare: 6 } ]'),
      [
        {
          action: 'sku-share.put',
          target: 'sku-share:main/battle-pass',
          before: { revShare: 5 },
          after: { revShare: 6 },
        },
      ],
    ],
    [
      'a schedule',
      group(
        `schedules: [ { id: ${id}, startDate: "${year(40)}", endDate: "${year(41)}", tiers: [ { tier: Golden, revShare: 30 } ] } ]`,
      ),
      [
        {
          action: 'schedule.put',
          target: `schedule:${id}`,
          before: null,
          after: {
            group: 'main',
            startDate: '2040-01-01T00:00:00.000Z',
            endDate: '2041-01-01T00:00:00.000Z',
            revShare: null,
            tiers: [{ tier: gold, revShare: 30 }],
          },
        },
      ],
    ],
    [
      'what a schedule says otherwise',
      group(`schedules: [ { id: ${id}, startDate: "${year(40)}", endDate: "${year(41)}", revShare: 9 } ]`),
      [
        {
          action: 'schedule.put',
          target: `schedule:${id}`,
          before: { revShare: null, tiers: [{ tier: gold, revShare: 30 }] },
          after: { revShare: 9, tiers: [] },
        },
      ],
    ],
  ])('%s', async (_what, file, expected) => {
    const entries = await entriesOf(db(), () => service().provision(file));
    expect(entries.map(told)).toEqual(expected);
    expect(new Set(entries.map(({ xmin }) => xmin)).size).toBe(1);
    for (const entry of entries)
      expect(entry).toMatchObject({
        actor_kind: 'program-file',
        actor_id: 'test.yaml',
        actor_name: 'tester',
        command: 'provision',
      });
    expect(await entriesOf(db(), () => service().provision(file))).toEqual([]);
  });
});

test('a file that is rejected at its end adds no entries for its beginning', async () => {
  const file = group(
    'revShare: 33, tiers: [ { name: New, revShare: 1 } ], members: [ { id: acc_rival_to_be, tier: Nowhere } ]',
  );
  expect(
    await entriesOf(db(), () => expect(service().provision(file)).rejects.toThrow('no tier named Nowhere')),
  ).toEqual([]);
});

describe('a schedule changed over the API adds one entry', () => {
  const path = `${schedulesPath}?groupId=main`;
  const terms = { startDate: year(50), endDate: year(51), revShare: 25 };
  const facts = {
    group: 'main',
    startDate: '2050-01-01T00:00:00.000Z',
    endDate: '2051-01-01T00:00:00.000Z',
    revShare: 25,
    tiers: [],
  };
  const its = (id: string): string => `${schedulesPath}/${id}?groupId=main`;

  test('when it is created, replaced and deleted, with the key', async () => {
    let id = '';
    const made = await entriesOf(db(), async () => {
      id = (await send('POST', path, terms)).body.id;
    });
    expect(made.map(told)).toEqual([
      { action: 'schedule.create', target: `schedule:${id}`, before: null, after: facts },
    ]);
    expect(made[0]).toMatchObject({
      publisher_id: 'aurora',
      actor_kind: 'key',
      actor_name: 'backend',
      request_id: expect.stringMatching(/./),
      address: expect.stringMatching(/127\.0\.0\.1$/),
    });
    const replaced = await entriesOf(db(), () => send('PUT', its(id), { ...terms, revShare: 30 }));
    expect(replaced.map(told)).toEqual([
      {
        action: 'schedule.replace',
        target: `schedule:${id}`,
        before: { revShare: 25 },
        after: { revShare: 30 },
      },
    ]);
    expect(await entriesOf(db(), () => send('PUT', its(id), { ...terms, revShare: 30 }))).toEqual([]);
    const deleted = await entriesOf(db(), () => remove(its(id)));
    expect(deleted.map(told)).toEqual([
      {
        action: 'schedule.delete',
        target: `schedule:${id}`,
        before: { ...facts, revShare: 30 },
        after: null,
      },
    ]);
  });

  test('but none when it is rejected', async () => {
    const { body } = await send('POST', path, { ...terms, startDate: year(60), endDate: year(62) });
    const other = { ...terms, startDate: year(61), endDate: year(63) };
    const statuses: number[] = [];
    const entries = await entriesOf(db(), async () => {
      for (const answer of [
        await send('POST', path, other),
        await send('POST', path, { ...terms, endDate: terms.startDate }),
        await send('POST', path, terms, { key: keys().client }),
        await send('PUT', its(body.id), { ...other, tierRevenueShares: [{ tierId: 'none', revShare: 2 }] }),
        await send('PUT', its('x'.repeat(21)), terms),
        await remove(its('x'.repeat(21))),
      ])
        statuses.push(answer.status);
    });
    expect([statuses, entries]).toEqual([[409, 400, 403, 400, 404, 404], []]);
  });
});
