import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { useLinking } from '../../test/linking.ts';
import { toAccountId } from '../platform/ids.ts';
import { countSupporters, noSupporters } from './supporters.ts';

const start = Date.parse('2026-05-01T00:00:00Z');
const dayMs = 86_400_000;
let now = new Date(start);
const { service, keys, provisionGroup, makeMember, makeEmptyGroup, linked, generate, db } = useLinking({
  clock: { now: () => now },
});

const referrals = (path: string, key = keys().client) =>
  service().call('GET', `/v1/referrals/${path}`, { key });
const attach = async (groupId: string, playerId: string, code: string, at: Date) =>
  expect(
    await service().call('PUT', `/v1/attributions/players/${playerId}/code?groupId=${groupId}`, {
      key: keys().backend,
      json: { code, at: at.toISOString() },
    }),
  ).toMatchObject({ status: 200 });
const end = (groupId: string, playerId: string) =>
  service().call('DELETE', `/v1/attributions/players/${playerId}/code?groupId=${groupId}`, {
    key: keys().backend,
  });
const count = async (groupId: string, memberId: string | null, fromMs: number, toMs: number) => {
  const creators = { publisherId: 'aurora', memberId: memberId === null ? null : toAccountId(memberId) };
  const period = { from: new Date(fromMs), to: new Date(toMs) };
  const figures = await countSupporters(db(), { ...creators, groupId }, period);
  const inAll = await countSupporters(db(), { ...creators, groupId: null }, period);
  expect(inAll.get(groupId)).toEqual(figures.get(groupId));
  return figures.get(groupId) ?? noSupporters;
};

const hourMs = 3_600_000;
const codeLasts = 3 * dayMs;

/** Model of a group's players: for each player, the times of entries with their codes, null for an end. */
class Players {
  readonly #rows = new Map<number, Map<number, string | null>>();

  rowsOf(player: number): Map<number, string | null> {
    const rows = this.#rows.get(player) ?? new Map<number, string | null>();
    this.#rows.set(player, rows);
    return rows;
  }

  codeOf(player: number, atMs: number): string | null {
    const last = Math.max(...[...this.rowsOf(player).keys()].filter((time) => time <= atMs));
    return last + codeLasts > atMs ? (this.rowsOf(player).get(last) ?? null) : null;
  }

  count(codes: readonly string[], fromMs: number, toMs: number) {
    const figures = { now: 0, new: 0, ended: 0 };
    const supports = (player: number, atMs: number) => codes.includes(this.codeOf(player, atMs) ?? '');
    for (const [player, rows] of this.#rows) {
      if (supports(player, toMs)) figures.now += 1;
      const moments = new Set([...rows.keys()].flatMap((time) => [time, time + codeLasts]));
      for (const moment of moments) {
        if (moment <= fromMs || moment > toMs) continue;
        const change = Number(supports(player, moment)) - Number(supports(player, moment - 1));
        if (change > 0) figures.new += 1;
        if (change < 0) figures.ended += 1;
      }
    }
    return figures;
  }
}

describe('supporters', () => {
  test('are counted as a model counts them, whatever the order in which codes were entered', async () => {
    const step = fc.record({
      player: fc.integer({ min: 0, max: 4 }),
      code: fc.constantFrom('ANN', 'BEN', null),
      hour: fc.integer({ min: 0, max: 24 * 8 }),
    });
    let runs = 0;
    const property = fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 60 }), async (steps) => {
      runs += 1;
      const groupId = `counted-${runs}`;
      await makeEmptyGroup(groupId, 'codeTTLInDays: 3');
      const names = [`ANN${runs}`, `BEN${runs}`];
      const [ann, ben] = [await makeMember(groupId, `ANN${runs}`), await makeMember(groupId, `BEN${runs}`)];
      const players = new Players();
      for (const { player, code, hour } of steps) {
        const atMs = start + hour * hourMs;
        const rows = players.rowsOf(player);
        now = new Date(code === null ? atMs : start + 9 * dayMs);
        if (code === null) {
          await end(groupId, `player-${player}`);
          if ([...rows].some(([time, entered]) => entered !== null && time + codeLasts > atMs))
            rows.set(atMs, null);
        } else {
          await attach(groupId, `player-${player}`, `${code}${runs}`, new Date(atMs));
          rows.set(atMs, `${code}${runs}`);
        }
      }
      for (const [fromDay, toDay] of [
        [0, 9],
        [2, 5],
        [4, 11],
        [3.5, 3.7],
      ] as const) {
        const period = [start + fromDay * dayMs, start + toDay * dayMs] as const;
        const found = await Promise.all([ann, ben, null].map((id) => count(groupId, id, ...period)));
        const expected = [names.slice(0, 1), names.slice(1), names].map((codes) =>
          players.count(codes, ...period),
        );
        expect(found).toEqual(expected);
        const { now: before } = await count(groupId, ann, start - 1, period[0]);
        expect((found[0]?.now ?? 0) - before).toBe((found[0]?.new ?? 0) - (found[0]?.ended ?? 0));
      }
    });
    await fc.assert(property, { numRuns: 6 });
  });

  test('of one player who enters two codes at once are one', async () => {
    await makeEmptyGroup('at-once', 'codeTTLInDays: 3');
    const id = await makeMember('at-once', 'ATONCE');
    now = new Date(start + dayMs);
    const times = [1, 2, 3, 4, 5, 6].map((hour) => new Date(start + hour * hourMs));
    await Promise.all(times.map((at) => attach('at-once', 'quick', 'ATONCE', at)));
    expect(await count('at-once', id, start, start + dayMs)).toEqual({ now: 1, new: 1, ended: 0 });
    expect(await count('at-once', null, start, start + 5 * dayMs)).toEqual({ now: 0, new: 1, ended: 1 });
  });

  test('follow a claimed member, and are none while the creator isn’t approved', async () => {
    await makeEmptyGroup('followed', 'codeTTLInDays: 3');
    now = new Date(start + dayMs);
    const generated = await generate('followed', 'p-claimed');
    await attach('followed', 'fan-1', generated, new Date(start));
    const accountId = await makeMember('followed', 'CLAIMS');
    await attach('followed', 'fan-2', 'CLAIMS', new Date(start));
    await linked('followed', accountId, 'p-claimed');
    expect(await count('followed', accountId, start - 1, start + dayMs)).toEqual({
      now: 2,
      new: 2,
      ended: 0,
    });
    expect((await referrals('player/p-claimed?groupId=followed')).body).toMatchObject({ totalCount: 2 });
    await provisionGroup('followed', `members: [ { id: ${accountId}, status: Removed } ]`);
    expect(await count('followed', null, start - 1, start + dayMs)).toEqual({ now: 0, new: 0, ended: 0 });
    expect(await referrals('player/p-claimed?groupId=followed')).toMatchObject({ status: 400 });
  });
});

describe('referral reads', () => {
  test('list who supports a creator, and tell only secret keys who they are', async () => {
    await makeEmptyGroup('listed', 'codeTTLInDays: 3');
    const id = await makeMember('listed', 'LISTED', 'playerId: p-listed');
    now = new Date(start + dayMs);
    for (const [index, player] of ['one', 'two', 'three'].entries())
      await attach('listed', player, 'listed', new Date(start + index * hourMs));
    const shown = {
      groupId: 'listed',
      groupName: 'listed',
      playerId: 'p-listed',
      memberId: id,
      codes: [{ code: 'LISTED', isPrimary: true, isGenerated: false, isManaged: false }],
      currentPage: 1,
      currentPageSize: 2,
      totalCount: 3,
      referrals: [2, 1].map((hour) => ({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        code: 'LISTED',
        referralDate: new Date(start + hour * hourMs).toISOString(),
      })),
    };
    const open = await referrals('player/p-listed?groupId=listed&pageSize=2');
    expect([open.status, open.body]).toEqual([200, shown]);
    expect((await referrals('player/p-listed?groupId=listed&pageSize=2', keys().backend)).body).toMatchObject(
      {
        referrals: [{ playerId: 'three' }, { playerId: 'two' }],
      },
    );
    const last = await referrals('player/p-listed?groupId=listed&pageSize=2&page=2', keys().backend);
    expect(last.body.referrals).toMatchObject([{ playerId: 'one' }]);
    expect((await referrals('player/p-listed?groupId=listed&page=9999')).body).toMatchObject({
      totalCount: 3,
      referrals: [],
    });
    const { memberId: _, codes, ...ofCode } = shown;
    expect((await referrals('code/Listed?groupId=listed&pageSize=2')).body).toEqual({
      ...ofCode,
      referralCodes: codes,
    });
    expect((await referrals('code/LISTED?groupId=listed&excludeReferralList=true')).body).toMatchObject({
      totalCount: 3,
      referrals: [],
    });
    now = new Date(start + 3 * dayMs + hourMs);
    expect((await referrals('code/LISTED?groupId=listed')).body).toMatchObject({ totalCount: 1 });
    const code = await referrals('player/p-listed/code?groupId=listed');
    expect([code.status, code.headers.get('content-type'), code.text]).toEqual([
      200,
      'text/plain; charset=utf-8',
      'LISTED',
    ]);
  });

  test.each([
    ['player/unknown', 400, 'PlayerNotInGroup'],
    ['player/unknown/code', 404, 'ReferralAccountNotFound'],
    ['code/UNKNOWN', 400, 'ReferralAccountNotFound'],
    ['code/OLD', 400, 'ReferralAccountNotFound'],
    ['code/RIVAL', 400, 'ReferralAccountNotFound'],
    ['code/a%00b', 400, 'ReferralAccountNotFound'],
    ['player/a%00b', 400, 'InvalidInput'],
    [`player/${'x'.repeat(256)}/code`, 400, 'InvalidInput'],
    ['player/p-1?groupId=nowhere', 400, 'InvalidGroup'],
    ['player/p-1?page=0', 400, 'InvalidPage'],
    ['player/p-1?page=10000', 400, 'InvalidPage'],
    ['player/p-1?pageSize=101', 400, 'InvalidPageSize'],
    ['code/ALICE?excludeReferralList=perhaps', 400, 'InvalidInput'],
  ])('reject %s', async (path, status, code) => {
    expect(await referrals(path)).toMatchObject({ status, body: { code, message: expect.any(String) } });
  });

  test('need a key, and answer for a creator without supporters', async () => {
    expect(await referrals('player/p-1', 'svc_pk_nothing')).toMatchObject({ status: 401 });
    expect(await referrals('player/p-1')).toMatchObject({
      status: 200,
      body: { referrals: [], totalCount: 0 },
    });
  });
});
