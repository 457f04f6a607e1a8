import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { useManagement } from '../../../test/management.ts';
import { nextWindow, schedulesPath as path, statusesOf } from '../../../test/schedules.ts';
import { startService, type TestService } from '../../../test/test-service.ts';

const { service, ask, send, remove, provisionGroup } = useManagement();
let other: TestService;
beforeAll(async () => {
  other = await startService({ beside: service() });
});
afterAll(() => other.close());

// Each test has its own timeline.
let groups = 0;
let group: string;
beforeEach(async () => {
  groups += 1;
  group = `g${groups}`;
  await provisionGroup(group, 'revShare: 10');
});
const day = (number: number): string => new Date(Date.UTC(2040, 0, number)).toISOString();
const window = (start: number, end: number) => ({ startDate: day(start), endDate: day(end), revShare: 25 });
const create = (json: unknown, at = service()) => send('POST', `${path}?groupId=${group}`, json, { at });
const replace = (id: string, json: unknown, at = service()) =>
  send('PUT', `${path}/${id}?groupId=${group}`, json, { at });
const listed = async () => (await ask(`${path}?groupId=${group}&pageSize=100`)).body.scheduledRevShares;
const idOf = async (json: unknown): Promise<string> => {
  const { status, body } = await create(json);
  expect(status).toBe(200);
  return body.id;
};
const both = (index: number): TestService => (index % 2 === 0 ? service() : other);

describe('rejects an overlapping window with 409 and changes nothing', () => {
  test.each([
    ['the same', 10, 20],
    ['within it', 12, 18],
    ['around it', 5, 25],
    ['over its start', 5, 11],
    ['over its end', 19, 25],
    ['from its start', 10, 12],
    ['to its end', 15, 20],
  ])('%s', async (_how, start, end) => {
    await idOf(window(10, 20));
    const before = await listed();
    const { status, body } = await create(window(start, end));
    expect([status, body.code]).toEqual([409, 'Conflict']);
    const free = await idOf(window(30, 31));
    expect((await replace(free, window(start, end))).status).toBe(409);
    expect(await listed()).toEqual([
      ...before,
      { ...before[0], id: free, startDate: day(30), endDate: day(31) },
    ]);
  });

  test('that overlaps by a millisecond', async () => {
    await idOf(window(10, 20));
    expect((await create({ ...window(20, 30), startDate: '2040-01-19T23:59:59.999Z' })).status).toBe(409);
    expect((await create({ ...window(1, 10), endDate: '2040-01-10T00:00:00.001Z' })).status).toBe(409);
  });

  test('in any time zone', async () => {
    await idOf(window(10, 20));
    const { status } = await create({
      ...window(20, 30),
      startDate: '2040-01-20T01:00:00+02:00',
    });
    expect(status).toBe(409);
  });
});

describe('windows are half-open', () => {
  test("so adjacent windows don't overlap on either side", async () => {
    await idOf(window(10, 20));
    await idOf(window(20, 30));
    await idOf(window(5, 10));
    await idOf({ ...window(1, 5), endDate: '2040-01-05T02:00:00+02:00' });
    expect((await listed()).map(({ startDate }: { startDate: string }) => startDate)).toEqual(
      [1, 5, 10, 20].map(day),
    );
  });

  test('and a schedule can be replaced to touch its neighbors or fill a gap exactly', async () => {
    await idOf(window(1, 10));
    const middle = await idOf(window(12, 15));
    await idOf(window(20, 30));
    expect((await replace(middle, window(10, 20))).status).toBe(200);
    expect((await replace(middle, window(9, 20))).status).toBe(409);
    expect((await replace(middle, window(10, 21))).status).toBe(409);
  });
});

describe('an instant, which only replacing can create, overlaps a window that contains it', () => {
  const instantAt = async (number: number): Promise<{ id: string; status: number }> => {
    const id = await idOf({ ...nextWindow(), revShare: 5 });
    return { id, status: (await replace(id, window(number, number))).status };
  };

  test('when the window came first', async () => {
    await idOf(window(10, 20));
    for (const [at, status] of [
      [9, 200],
      [10, 409],
      [15, 409],
      [20, 200],
    ] as const)
      expect([at, (await instantAt(at)).status]).toEqual([at, status]);
  });

  test.each([
    ['around it', 5, 25, 409],
    ['from it', 10, 20, 409],
    ['up to it', 5, 10, 200],
    ['after it', 11, 20, 200],
  ])('when the instant came first: a window %s', async (_how, start, end, status) => {
    expect((await instantAt(10)).status).toBe(200);
    expect((await create(window(start, end))).status).toBe(status);
    const free = await idOf(window(50, 51));
    expect((await replace(free, window(start, end))).status).toBe(409);
  });

  test('and another instant at the same time', async () => {
    expect((await instantAt(10)).status).toBe(200);
    expect((await instantAt(10)).status).toBe(409);
    expect((await instantAt(11)).status).toBe(200);
  });

  test('and can become a window again without overlapping itself', async () => {
    const { id } = await instantAt(10);
    expect((await replace(id, window(10, 10))).status).toBe(200);
    expect((await replace(id, window(9, 11))).status).toBe(200);
    expect((await replace(id, window(10, 10))).status).toBe(200);
  });
});

describe('of fifty simultaneous requests', () => {
  test.each([
    ['in one process', () => service()],
    ['in two processes', both],
  ])('for the same window, exactly one creates a schedule: %s', async (_where, at) => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => create({ ...window(10, 20), revShare: 2 + index }, at(index))),
    );
    expect(statusesOf(answers)).toEqual({ 200: 1, 409: 49 });
    const winner = answers.find(({ status }) => status === 200);
    expect(await listed()).toEqual([{ ...winner?.body, status: expect.any(String) }]);
  });

  test("for partly overlapping windows, those that succeed don't overlap", async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => {
        const start = (index * 7) % 40;
        return create(window(start, start + 1 + (index % 9)), both(index));
      }),
    );
    expect(Object.keys(statusesOf(answers))).toEqual(['200', '409']);
    const saved = await listed();
    expect(saved).toHaveLength(statusesOf(answers)[200] ?? 0);
    for (const [index, { startDate }] of saved.entries())
      expect(index === 0 || saved[index - 1].endDate <= startDate).toBe(true);
  });

  test('that move schedules into the same free window, exactly one succeeds, also with instants', async () => {
    const ids = await Promise.all(
      Array.from({ length: 50 }, (_, index) => idOf(window(100 + index * 2, 101 + index * 2))),
    );
    for (const wanted of [window(10, 20), window(30, 30)]) {
      const before = await listed();
      const answers = await Promise.all(ids.map((id, index) => replace(id, wanted, both(index))));
      expect(statusesOf(answers)).toEqual({ 200: 1, 409: 49 });
      const after = await listed();
      expect(after).toHaveLength(50);
      expect(
        after.filter(({ startDate }: { startDate: string }) => startDate === wanted.startDate),
      ).toHaveLength(1);
      expect(before).not.toEqual(after);
    }
  });

  test('that replace the same schedule, all succeed, and it has the complete terms of one of them', async () => {
    const tiers = ['a', 'b'].map((digit) => `${digit.repeat(8)}-0000-4000-8000-000000000000`);
    await provisionGroup(
      group,
      `tiers: [ ${tiers.map((id, index) => `{ id: ${id}, name: T${index}, revShare: 5 }`).join(', ')} ]`,
    );
    const id = await idOf(window(10, 20));
    const bodies = Array.from({ length: 50 }, (_, index) => ({
      ...window(10, 11 + index),
      revShare: 2 + index,
      tierRevenueShares: tiers.slice(0, index % 3).map((tierId) => ({ tierId, revShare: 2 + index })),
    }));
    const answers = await Promise.all(bodies.map((body, index) => replace(id, body, both(index))));
    expect(statusesOf(answers)).toEqual({ 200: 50 });
    const [{ status: _status, ...left }] = await listed();
    expect(answers.map(({ body }) => body)).toContainEqual(left);
  });

  test('that create, replace and delete in random order, none leaves overlapping windows', async () => {
    const ids = await Promise.all(
      Array.from({ length: 10 }, (_, index) => idOf(window(index * 4, index * 4 + 2))),
    );
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) => {
        const id = ids[index % ids.length] ?? '';
        const start = (index * 11) % 40;
        const wanted = window(start, start + (index % 4));
        if (index % 6 === 5) return remove(`${path}/${id}?groupId=${group}`, { at: both(index) });
        return index % 2 === 0 ? replace(id, wanted, both(index)) : create(wanted, both(index));
      }),
    );
    for (const { status } of answers) expect([200, 400, 404, 409]).toContain(status);
    const saved = await listed();
    for (const [index, { startDate }] of saved.entries())
      expect(index === 0 || saved[index - 1].endDate <= startDate).toBe(true);
  });
});
