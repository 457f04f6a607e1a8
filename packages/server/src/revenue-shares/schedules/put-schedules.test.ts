import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { useManagement } from '../../../test/management.ts';
import { schedulesPath } from '../../../test/schedules.ts';
import { useService } from '../../../test/test-service.ts';

const { service, ask, send, remove, provisionGroup } = useManagement();

let groups = 0;
let group: string;
beforeEach(async () => {
  groups += 1;
  group = `g${groups}`;
  await provisionGroup(
    group,
    'revShare: 10, tiers: [ { name: Gold, revShare: 20 }, { name: Silver, revShare: 15 } ]',
  );
});

const window = (from: number, to: number): string =>
  `startDate: 20${from}-01-01T00:00:00Z, endDate: 20${to}-01-01T00:00:00Z`;
const apply = (...schedules: string[]) => provisionGroup(group, `schedules: [ ${schedules.join(', ')} ]`);
interface Listed {
  id: string;
  revShare: number;
  startDate: string;
  endDate: string;
  tierRevenueShares: { tierName: string; revShare: number }[];
}
const listed = async (): Promise<Listed[]> =>
  (await ask(`${schedulesPath}?groupId=${group}&pageSize=100`)).body.scheduledRevShares;
const years = async (): Promise<string[]> =>
  (await listed()).map(({ startDate, endDate }) => `${startDate.slice(0, 4)}-${endDate.slice(0, 4)}`);
const id = (letter: string): string => letter.repeat(21);

describe('rejects a whole file with the line of the mistake, for a schedule', () => {
  const file = (schedules: string): string => `publisher: { id: aurora }
groups:
  - id: ${group}
    name: Changed
    schedules:
${schedules}`;

  test.each([
    ['without a start', '- { endDate: 2040-01-01T00:00:00Z, revShare: 5 }', 'startDate is required'],
    ['without an end', '- { startDate: 2040-01-01T00:00:00Z, revShare: 5 }', 'endDate is required'],
    [
      'with a date without a time',
      '- { startDate: 2040-01-01, endDate: 2041-01-01T00:00:00Z, revShare: 5 }',
      'startDate must be a timestamp',
    ],
    ['with no share', `- { ${window(40, 41)} }`, 'revShare or tiers is required'],
    ['with no tiers', `- { ${window(40, 41)}, tiers: [] }`, 'revShare or tiers is required'],
    ['that ends as it starts', `- { ${window(40, 40)}, revShare: 5 }`, 'endDate must be after startDate'],
    ['that ends before', `- { ${window(41, 40)}, revShare: 5 }`, 'endDate must be after startDate'],
    ['below one percent', `- { ${window(40, 41)}, revShare: 0.5 }`, 'revShare must be at least 1'],
    ['above the whole', `- { ${window(40, 41)}, revShare: 101 }`, 'revShare must be at most 100'],
    ['with a short id', `- { id: short, ${window(40, 41)}, revShare: 5 }`, 'id must be: 21 letters'],
    [
      'with an unknown field',
      `- { ${window(40, 41)}, revShare: 5, status: Ended }`,
      'contains "status", which is not one of the allowed properties',
    ],
    [
      'with an unknown tier',
      `- { ${window(40, 41)}, tiers: [ { tier: Tin, revShare: 5 } ] }`,
      'has no tier named Tin; use one of ',
    ],
    [
      'with a tier listed twice',
      `- { ${window(40, 41)}, tiers: [ { tier: Gold, revShare: 5 }, { tier: Gold, revShare: 6 } ] }`,
      'tier Gold is listed twice',
    ],
  ])('%s', async (_what, line, message) => {
    const before = await listed();
    const good = `      - { ${window(30, 31)}, revShare: 5 }\n`;
    await expect(service().provision(file(`${good}      ${line}`))).rejects.toThrow(
      new RegExp(`^test\\.yaml:7: .*${message}`),
    );
    expect(await listed()).toEqual(before);
    expect((await ask(`/tiers?groupId=${group}`)).body.groupName).not.toBe('Changed');
  });

  test('whose window overlaps a schedule of the group that is not in the file', async () => {
    await apply(`{ ${window(40, 42)}, revShare: 5 }`);
    const overlapping = service().provision(file(`      - { ${window(41, 43)}, revShare: 5 }`));
    await expect(overlapping).rejects.toThrow(
      `test.yaml:6: its window overlaps another schedule of group ${group}`,
    );
    expect(await years()).toEqual(['2040-2042']);
  });

  test('whose window overlaps or equals the window of another schedule in the file', async () => {
    for (const second of [window(41, 43), window(40, 42)]) {
      const overlapping = service().provision(
        file(`      - { ${window(40, 42)}, revShare: 5 }\n      - { ${second}, revShare: 6 }`),
      );
      await expect(overlapping).rejects.toThrow(/^test\.yaml:7: its window overlaps/);
    }
    expect(await listed()).toEqual([]);
  });

  test('that is listed twice, by id or by window', async () => {
    await apply(`{ ${window(40, 42)}, revShare: 5 }`);
    for (const line of [`{ ${window(40, 42)}, revShare: 6 }`, `{ ${window(40, 42)}, revShare: 7 }`]) {
      const twice = service().provision(file(`      - { ${window(40, 42)}, revShare: 5 }\n      - ${line}`));
      await expect(twice).rejects.toThrow(/^test\.yaml:7: schedule \S{21} with this window is listed twice/);
    }
    const twice = service().provision(
      file(
        `      - { id: ${id('a')}, ${window(50, 51)}, revShare: 5 }\n      - { id: ${id('a')}, ${window(52, 53)}, revShare: 5 }`,
      ),
    );
    await expect(twice).rejects.toThrow(`test.yaml:7: schedule ${id('a')} is listed twice`);
  });

  test("with the id of another group's schedule", async () => {
    await provisionGroup('moba', `schedules: [ { id: ${id('m')}, ${window(40, 41)}, revShare: 5 } ]`);
    const other = service().provision(file(`      - { id: ${id('m')}, ${window(40, 41)}, revShare: 6 }`));
    await expect(other).rejects.toThrow(`test.yaml:6: schedule ${id('m')} belongs to group moba`);
    await remove(`${schedulesPath}/${id('m')}?groupId=moba`);
  });
});

describe('a schedule of a file', () => {
  test('is created as the API shows it, and one percent means one percent', async () => {
    await apply(
      `{ id: ${id('s')}, ${window(40, 41)}, revShare: 1, tiers: [ { tier: Silver, revShare: 12.3456 }, { tier: Gold, revShare: 1 } ] }`,
      `{ ${window(41, 42)}, tiers: [ { tier: Gold, revShare: 30 } ] }`,
    );
    const [first, second] = await listed();
    expect(first).toMatchObject({
      id: id('s'),
      revShare: 1,
      startDate: '2040-01-01T00:00:00.000Z',
      endDate: '2041-01-01T00:00:00.000Z',
      groupId: group,
      tierRevenueShares: [
        { tierName: 'Silver', revShare: 12.3456 },
        { tierName: 'Gold', revShare: 1 },
      ],
    });
    expect(second).toMatchObject({
      id: expect.stringMatching(/^[A-Za-z0-9]{21}$/),
      revShare: 10,
      tierRevenueShares: [{ tierName: 'Gold', revShare: 30 }],
    });
  });

  test('changes nothing when applied again', async () => {
    const schedules = [
      `{ id: ${id('t')}, ${window(40, 41)}, revShare: 5 }`,
      `{ ${window(41, 42)}, tiers: [ { tier: Gold, revShare: 30 } ] }`,
    ];
    await apply(...schedules);
    const before = await listed();
    await apply(...schedules);
    await apply(...schedules.toReversed());
    expect(await listed()).toEqual(before);
  });

  test('is identified by its window in any spelling, and replaced with its tier shares', async () => {
    await apply(`{ ${window(40, 41)}, revShare: 5, tiers: [ { tier: Gold, revShare: 30 } ] }`);
    const [before] = await listed();
    await apply(
      '{ startDate: "2040-01-01T02:00:00+02:00", endDate: "2041-01-01T00:00:00.0009Z", revShare: 6 }',
    );
    expect(await listed()).toEqual([{ ...before, revShare: 6, tierRevenueShares: [] }]);
  });

  test('can move if it is identified by its id', async () => {
    await apply(`{ id: ${id('v')}, ${window(40, 41)}, revShare: 5 }`);
    await apply(`{ id: ${id('v')}, ${window(40, 45)}, revShare: 5 }`);
    await apply(`{ id: ${id('v')}, ${window(50, 55)}, revShare: 7 }`);
    expect(await listed()).toMatchObject([
      { id: id('v'), revShare: 7, startDate: '2050-01-01T00:00:00.000Z' },
    ]);
  });

  test('can swap windows with another schedule in the same file, in either order', async () => {
    const one = (from: number) => `{ id: ${id('y')}, ${window(from, from + 1)}, revShare: 5 }`;
    const two = (from: number) => `{ id: ${id('z')}, ${window(from, from + 1)}, revShare: 6 }`;
    await apply(one(40), two(41));
    await apply(one(41), two(40));
    expect((await listed()).map((each) => each.id)).toEqual([id('z'), id('y')]);
    await apply(two(41), one(40));
    expect((await listed()).map((each) => each.id)).toEqual([id('y'), id('z')]);
  });

  test('can take the window of another schedule that moves by its id', async () => {
    await apply(`{ id: ${id('w')}, ${window(40, 41)}, revShare: 5 }`);
    await apply(`{ ${window(40, 41)}, revShare: 6 }`, `{ id: ${id('w')}, ${window(41, 42)}, revShare: 5 }`);
    const [first, second] = await listed();
    expect([first?.id === id('w'), second?.id]).toEqual([false, id('w')]);
  });

  test('is left in place if it is not in the file, and is identified by its window if it was created over HTTP', async () => {
    const made = await send('POST', `${schedulesPath}?groupId=${group}`, {
      startDate: '2040-01-01T00:00:00Z',
      endDate: '2041-01-01T00:00:00Z',
      revShare: 5,
    });
    await apply(`{ ${window(50, 51)}, revShare: 6 }`);
    await apply(`{ ${window(40, 41)}, revShare: 7 }`);
    expect((await listed()).map(({ id, revShare }) => [id === made.body.id, revShare])).toEqual([
      [true, 7],
      [false, 6],
    ]);
  });

  test('is restored if it was deleted', async () => {
    const schedules = [
      `{ id: ${id('x')}, ${window(40, 41)}, revShare: 5 }`,
      `{ ${window(41, 42)}, revShare: 6 }`,
    ];
    await apply(...schedules);
    for (const each of await listed()) await remove(`${schedulesPath}/${each.id}?groupId=${group}`);
    expect(await listed()).toEqual([]);
    await apply(...schedules);
    expect(await years()).toEqual(['2040-2041', '2041-2042']);
    expect((await listed())[0]?.id).toBe(id('x'));
  });

  test('can use a tier created by the same file, and is independent of the same id at another publisher', async () => {
    for (const publisher of ['north', 'south']) {
      await service().provision(
        `{ publisher: { id: ${publisher} }, groups: [ { id: g, revShare: 5, schedules: [ { id: ${id('p')}, ${window(40, 41)}, tiers: [ { tier: New, revShare: 9 } ] } ], tiers: [ { name: New, revShare: 8 } ] } ] }`,
      );
    }
    const { rows } = await service().testDatabase.database.recording.query(
      'select publisher_id from scheduled_share where schedule_id = $1 order by 1',
      [id('p')],
    );
    expect(rows).toEqual([{ publisher_id: 'north' }, { publisher_id: 'south' }]);
  });
});

describe('the demo', () => {
  const fresh = useService();

  test('has one active and one upcoming schedule, regardless of how often it is applied', async () => {
    const demo = readFileSync(new URL('../../../../../examples/demo-program.yaml', import.meta.url), 'utf8');
    const made = await fresh().provision(demo);
    await fresh().provision(demo);
    const key = made.find(({ name }) => name === 'backend')?.key ?? '';
    const { body } = await fresh().call('GET', `/v1/manage${schedulesPath}?groupId=moba`, { key });
    expect(body.scheduledRevShares.map(({ status }: { status: string }) => status)).toEqual([
      'Active',
      'Upcoming',
    ]);
  });
});
