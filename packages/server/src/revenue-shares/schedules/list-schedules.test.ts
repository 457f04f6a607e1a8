import { describe, expect, test } from 'vitest';
import { useManagement } from '../../../test/management.ts';
import { schedulesPath as path, schedule } from '../../../test/schedules.ts';

let now = new Date('2026-06-01T00:00:00Z');
const { keys, ask, send, remove, provisionGroup } = useManagement({ clock: { now: () => now } });

const create = async (changes: Record<string, unknown>, group: string) =>
  (await send('POST', `${path}?groupId=${group}`, schedule(changes))).body;
const list = async (query: string) => (await ask(`${path}?${query}`)).body;

describe('the list of schedules is rejected', () => {
  test.each([
    ['page=0', 400, 'InvalidPage'],
    ['page=10000', 400, 'InvalidPage'],
    ['page=1&page=1', 400, 'InvalidPage'],
    ['pageSize=0', 400, 'InvalidPageSize'],
    ['pageSize=101', 400, 'InvalidPageSize'],
    ['pageSize=x', 400, 'InvalidPageSize'],
    ['groupId=main&groupId=main', 400, 'InvalidInput'],
    ['groupId=nowhere', 404, 'InvalidGroup'],
    ['groupId=hidden', 404, 'InvalidGroup'],
  ])('%s is %d %s', async (query, wanted, code) => {
    const { status, body } = await ask(`${path}?${query}`);
    expect([status, body.code]).toEqual([wanted, code]);
  });

  test('with 401 without a key and 403 with a public key, like deleting', async () => {
    for (const answer of [await ask(path, { key: null }), await remove(`${path}/x`, { key: null })])
      expect([answer.status, answer.body.code]).toEqual([401, 'Unauthorized']);
    const key = keys().client;
    for (const answer of [await ask(path, { key }), await remove(`${path}/x`, { key })])
      expect([answer.status, answer.body.code]).toEqual([403, 'Forbidden']);
  });
});

describe('the list of schedules', () => {
  test('contains the schedules of one group, and is empty at first', async () => {
    expect(await list('')).toEqual({
      groupId: 'main',
      groupName: 'Aurora Creators',
      currentPage: 1,
      currentPageSize: 10,
      totalCount: 0,
      scheduledRevShares: [],
    });
    await create({}, 'moba');
    expect((await list('')).totalCount).toBe(0);
    expect((await ask(`${path}?groupId=main`, { key: keys().moba })).body).toMatchObject({
      groupId: 'moba',
      totalCount: 1,
    });
  });

  test('shows the status of each schedule, to the millisecond', async () => {
    await provisionGroup('clock', 'revShare: 5');
    const start = Date.UTC(2027, 0, 1);
    const end = Date.UTC(2027, 1, 1);
    const { id } = await create(
      { startDate: new Date(start).toISOString(), endDate: new Date(end).toISOString() },
      'clock',
    );
    const statusAt = async (ms: number): Promise<string> => {
      now = new Date(ms);
      return (await list('groupId=clock')).scheduledRevShares[0].status;
    };
    expect(await statusAt(start - 1)).toBe('Upcoming');
    expect(await statusAt(start)).toBe('Active');
    expect(await statusAt(end - 1)).toBe('Active');
    expect(await statusAt(end)).toBe('Ended');
    // A zero-length schedule is over as soon as it is created.
    const startDate = new Date(start).toISOString();
    await send('PUT', `${path}/${id}?groupId=clock`, { startDate, endDate: startDate, revShare: 5 });
    expect(await statusAt(start - 1)).toBe('Upcoming');
    expect(await statusAt(start)).toBe('Ended');
  });

  test('is ordered by the starts, in pages that neither skip nor repeat a schedule', async () => {
    await provisionGroup('pages', 'revShare: 5');
    const starts = Array.from({ length: 25 }, (_, index) => Date.UTC(2030, 0, 1 + ((index * 7) % 25)));
    for (const start of starts) {
      await create(
        { startDate: new Date(start).toISOString(), endDate: new Date(start + 3_600_000).toISOString() },
        'pages',
      );
    }
    const walked: string[] = [];
    for (let page = 1; page <= 4; page += 1) {
      const body = await list(`groupId=pages&pageSize=7&page=${page}`);
      expect(body).toMatchObject({ currentPage: page, currentPageSize: 7, totalCount: 25 });
      walked.push(...body.scheduledRevShares.map(({ startDate }: { startDate: string }) => startDate));
    }
    expect(walked).toEqual(starts.toSorted().map((start) => new Date(start).toISOString()));
    expect((await list('groupId=pages')).scheduledRevShares).toHaveLength(10);
    expect(await list('groupId=pages&page=9999')).toMatchObject({ totalCount: 25, scheduledRevShares: [] });
  });
});

describe('deleting a schedule', () => {
  test('returns it, removes it from the list and frees its window', async () => {
    await provisionGroup('deleted', 'revShare: 5');
    const window = { startDate: '2028-01-01T00:00:00.000Z', endDate: '2028-02-01T00:00:00.000Z' };
    const created = await create(window, 'deleted');
    const { status, body } = await remove(`${path}/${created.id}?groupId=deleted`);
    expect([status, body]).toEqual([200, created]);
    expect((await list('groupId=deleted')).totalCount).toBe(0);
    const again = await create(window, 'deleted');
    expect(again.id).not.toBe(created.id);
  });

  test('returns 404 the second time, and exactly one of fifty simultaneous requests deletes it', async () => {
    const { id } = await create({}, 'main');
    const answers = await Promise.all(Array.from({ length: 50 }, () => remove(`${path}/${id}`)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, body } of answers.filter(({ status }) => status !== 200))
      expect([status, body.code]).toEqual([404, 'NotFound']);
  });

  test('works for clients that send a content type without a body, or a body', async () => {
    const headers = { 'content-type': 'application/json' };
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    for (const sent of [{ headers }, { headers, raw: '{}' }, { headers, raw: '{' }, { headers: form }]) {
      const { id } = await create({}, 'main');
      expect((await remove(`${path}/${id}`, sent)).status).toBe(200);
    }
  });

  test('is rejected with a repeated or unknown groupId', async () => {
    const { id } = await create({}, 'main');
    expect((await remove(`${path}/${id}?groupId=main&groupId=main`)).body.code).toBe('InvalidInput');
    expect((await remove(`${path}/${id}?groupId=nowhere`)).body.code).toBe('InvalidGroup');
    expect((await remove(`${path}/${id}?groupId=moba`)).body.code).toBe('NotFound');
    expect((await remove(`${path}/${id}`)).status).toBe(200);
  });
});
