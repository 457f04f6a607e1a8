import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { useLinking } from '../../test/linking.ts';
import { startService } from '../../test/test-service.ts';

let nowMs = Date.UTC(2026, 0, 1);
const linking = useLinking({ clock: { now: () => new Date(nowMs) } });
const { service, keys, ask, link, linked, generate, makeOutsider, authCode, query } = linking;
const path = (playerId: string): string => `/members/${encodeURIComponent(playerId)}/authCode`;

describe('an auth code is rejected with', () => {
  test('401 without a key and 403 with a public key', async () => {
    expect((await ask(path('p-1'), { key: null })).body.code).toBe('Unauthorized');
    const { status, body } = await ask(path('p-1'), { key: keys().client });
    expect([status, body.code]).toEqual([403, 'Forbidden']);
  });

  test.each([
    ['does not exist', 'p-0'],
    ['belongs to a Removed member', 'p-4'],
    ['belongs to a member of another group', 'p-9'],
  ])('400 PlayerNotInGroup for a playerId that %s', async (_what, playerId) => {
    const { status, body } = await ask(path(playerId));
    expect([status, body.code]).toEqual([400, 'PlayerNotInGroup']);
  });

  test('400 PlayerNotInGroup for a member whose account is closed', async () => {
    await generate('main', 'p-shut');
    await query(sql`
      update creator_account
      set closed_at = now()
      where account_id = (select account_id from membership where player_id = 'p-shut')`);
    expect((await ask(path('p-shut'))).body.code).toBe('PlayerNotInGroup');
  });

  test("400 PlayerNotInGroup for another publisher's member", async () => {
    expect((await ask(path('p-2'), { key: keys().rival })).body.code).toBe('PlayerNotInGroup');
  });

  test('405 for a HEAD request, after which the previous code stays valid', async () => {
    await generate('main', 'p-head');
    const { authCode } = (await ask(path('p-head'))).body;
    const head = (suffix: string, key: string | null = keys().backend) =>
      service().call('HEAD', `/v1/manage${path('p-head')}${suffix}`, { key });
    for (const suffix of ['', '/', '?groupId=main']) {
      const { status, headers } = await head(suffix);
      expect([status, headers.get('allow')]).toEqual([405, 'GET']);
    }
    expect((await head('', null)).status).toBe(401);
    expect((await link('main', { playerId: 'p-head', authCode })).status).toBe(200);
  });

  test('400 PlayerNotInGroup for a member whose account belongs to another publisher', async () => {
    const outsider = await makeOutsider('Stella');
    await generate('main', 'p-stella');
    await linked('main', outsider, 'p-stella');
    const own = await authCode(outsider);
    const { status, body } = await ask(path('p-stella'));
    expect([status, body.code]).toEqual([400, 'PlayerNotInGroup']);
    const used = await link('main', { playerId: 'p-stella', authCode: own });
    expect(used.status, "the creator's own code stays valid").toBe(200);
  });

  test("400 PlayerNotInGroup for the publisher's own account that is now a member of another publisher", async () => {
    await query(sql`
      insert into membership (publisher_id, membership_id, group_id, account_id, status)
      values ('rival', gen_random_uuid(), 'main', 'acc_bob', 'Removed')`);
    expect((await ask(path('p-2'))).body.code).toBe('PlayerNotInGroup');
  });

  test('400 InvalidGroup for an unknown group, and InvalidInput for an invalid playerId', async () => {
    expect((await ask(`${path('p-1')}?groupId=nowhere`)).body.code).toBe('InvalidGroup');
    expect((await ask(path('a\nb'))).body.code).toBe('InvalidInput');
    expect((await ask(path('x'.repeat(256)))).body.code).toBe('InvalidInput');
  });
});

describe('an auth code', () => {
  test('is issued for an Approved or Pending member, for 30 minutes', async () => {
    for (const playerId of ['p-1', 'p-3']) {
      const { status, body } = await ask(path(playerId));
      expect([status, body]).toEqual([
        200,
        {
          authCode: expect.stringMatching(/^[2-9A-HJKMNP-Z]{4}-[2-9A-HJKMNP-Z]{4}$/),
          expiresAt: '2026-01-01T00:30:00.000Z',
        },
      ]);
    }
  });

  test('is not cached', async () => {
    const { headers } = await ask(path('p-1'));
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test.each(['id', 'player'])(
    'is not issued for the playerId %s, which is part of another path',
    async (name) => {
      await generate('main', name);
      const { status, body } = await ask(path(name));
      expect([status, body.authCode]).toEqual([400, undefined]);
    },
  );

  test('is issued in the group of a scoped key', async () => {
    const { status } = await ask(`${path('p-9')}?groupId=main`, { key: keys().moba });
    expect(status).toBe(200);
  });

  test('is stored only as a hash', async () => {
    const { body } = await ask(path('p-1'));
    const [row] = await query(
      sql<{
        text: string;
      }>`select row_to_json(c)::text as text from auth_code c where account_id = 'acc_alice'`,
    );
    expect(row?.text).not.toContain(body.authCode);
    expect(row?.text).not.toContain(body.authCode.replace('-', ''));
  });

  test('replaces the previous one', async () => {
    await generate('main', 'p-replaced');
    const first = (await ask(path('p-replaced'))).body.authCode;
    const second = (await ask(path('p-replaced'))).body.authCode;
    const answer = await link('main', { playerId: 'p-replaced', authCode: first });
    expect([answer.status, answer.body.code]).toEqual([400, 'InvalidAuthCode']);
    expect((await link('main', { playerId: 'p-replaced', authCode: second })).status).toBe(200);
  });

  test('is the only valid one after many concurrent requests', async () => {
    await generate('main', 'p-many');
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(path('p-many'))));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const codes = answers.map(({ body }) => body.authCode);
    expect(new Set(codes).size).toBe(20);
    const statuses: number[] = [];
    for (const authCode of codes)
      statuses.push((await link('main', { playerId: 'p-many', authCode })).status);
    expect(statuses.toSorted()).toEqual([200, ...Array(19).fill(400)]);
  });

  test('is valid until its last millisecond, and reported as expired until there is a new one', async () => {
    await generate('main', 'p-time');
    const { authCode } = (await ask(path('p-time'))).body;
    nowMs += 30 * 60_000 - 1;
    expect((await link('main', { playerId: 'p-other', authCode })).body.code).toBe('MemberAlreadyLinked');
    nowMs += 1;
    for (const _ of [1, 2]) {
      const { status, body } = await link('main', { playerId: 'p-time', authCode });
      expect([status, body.code]).toEqual([400, 'ExpiredAuthCode']);
      nowMs += 365 * 86_400_000;
    }
    const fresh = (await ask(path('p-time'))).body.authCode;
    expect((await link('main', { playerId: 'p-time', authCode })).body.code).toBe('InvalidAuthCode');
    expect((await link('main', { playerId: 'p-time', authCode: fresh })).status).toBe(200);
  });

  test('is valid in all processes', async () => {
    const other = await startService({ beside: service(), clock: { now: () => new Date(nowMs) } });
    try {
      await generate('main', 'p-two');
      const { authCode } = (await ask(path('p-two'), { at: other })).body;
      expect((await link('main', { playerId: 'p-two', authCode })).status).toBe(200);
    } finally {
      await other.close();
    }
  });
});
