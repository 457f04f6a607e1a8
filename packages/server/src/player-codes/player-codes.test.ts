import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { databaseUrl } from '../../test/database-url.ts';
import { purchase } from '../../test/fixtures.ts';
import { useLinking } from '../../test/linking.ts';
import { runInProcess } from '../../test/run-in-process.ts';
import { purgePlayerCodes } from './erase-player-codes.ts';
import { keptPerPlayer } from './player-code.ts';

let now = new Date('2026-05-02T12:00:00Z');
const { service, keys, record, get, provisionGroup, makeMember, linked, generate, db } = useLinking({
  clock: { now: () => now },
});

interface Asked {
  groupId?: string;
  key?: string;
  at?: string;
}
const pathOf = (playerId: string, { groupId, at }: Asked = {}): string => {
  const query = new URLSearchParams({ ...(groupId && { groupId }), ...(at && { at }) });
  return `/v1/attributions/players/${encodeURIComponent(playerId)}/code?${query}`;
};
const put = (playerId: string, json: unknown, asked: Asked = {}) =>
  service().call('PUT', pathOf(playerId, asked), { key: asked.key ?? keys().backend, json });
const read = (playerId: string, asked: Asked = {}) =>
  service().call('GET', pathOf(playerId, asked), { key: asked.key ?? keys().backend });
const end = (playerId: string, asked: Asked = {}) =>
  service().call('DELETE', pathOf(playerId, asked), { key: asked.key ?? keys().backend });
/** Returns the code that is in force, or the error's code. */
const codeOf = async (playerId: string, asked: Asked = {}): Promise<string> => {
  const { status, body } = await read(playerId, asked);
  expect(status).toBe(body.message === undefined ? 200 : 404);
  return body.code;
};
const attach = async (playerId: string, code: string, at?: string, groupId?: string) =>
  expect(
    await put(playerId, { code, ...(at !== undefined && { at }) }, groupId === undefined ? {} : { groupId }),
  ).toMatchObject({ status: 200 });
let players = 0;
function newPlayer(): string {
  players += 1;
  return `fan-${players}`;
}

describe('a player’s code', () => {
  test('is in force from its entry until the group’s codeTTLInDays have passed', async () => {
    await provisionGroup('main', 'codeTTLInDays: 14');
    const player = newPlayer();
    expect(await put(player, { code: 'alice', at: '2026-05-01T10:00:00+02:00' })).toMatchObject({
      status: 200,
      body: {
        groupId: 'main',
        playerId: player,
        code: 'ALICE',
        memberId: 'acc_alice',
        attachedAt: '2026-05-01T08:00:00.000Z',
        expiresAt: '2026-05-15T08:00:00.000Z',
      },
    });
    expect(await codeOf(player, { at: '2026-05-01T07:59:59.999Z' })).toBe('NotFound');
    expect(await codeOf(player, { at: '2026-05-01T08:00:00Z' })).toBe('ALICE');
    expect(await codeOf(player, { at: '2026-05-15T07:59:59.999Z' })).toBe('ALICE');
    expect(await codeOf(player, { at: '2026-05-15T08:00:00Z' })).toBe('NotFound');
    await provisionGroup('main', 'codeTTLInDays: 1');
    expect(await codeOf(player), 'a later change of the group moves no end').toBe('ALICE');
    await provisionGroup('main', 'codeTTLInDays: 30');
  });

  test('is replaced by the next one, and renewed by the same one; each time keeps the code that it had', async () => {
    const player = newPlayer();
    await attach(player, 'ALICE', '2026-04-01T00:00:00Z');
    await attach(player, 'BOB', '2026-04-20T00:00:00Z');
    // Sent twice, as after a lost response.
    await attach(player, 'BOB', '2026-04-20T00:00:00Z');
    expect(await codeOf(player, { at: '2026-04-19T23:59:59Z' })).toBe('ALICE');
    expect(await codeOf(player, { at: '2026-04-20T00:00:00Z' })).toBe('BOB');
    await attach(player, 'BOB', '2026-05-01T00:00:00Z');
    expect((await read(player)).body).toMatchObject({ code: 'BOB', expiresAt: '2026-05-31T00:00:00.000Z' });
    // A code that arrives late doesn't replace a later one.
    await attach(player, 'ALICE', '2026-04-10T00:00:00Z');
    expect(await codeOf(player)).toBe('BOB');
  });

  test('ends when it is deleted, and again, which changes nothing', async () => {
    const player = newPlayer();
    await attach(player, 'ALICE', '2026-05-01T00:00:00Z');
    for (const _ of [1, 2])
      expect(await end(player)).toMatchObject({ status: 200, body: { groupId: 'main', playerId: player } });
    expect(await codeOf(player)).toBe('NotFound');
    expect(await codeOf(player, { at: '2026-05-02T11:59:59Z' }), 'before it ended').toBe('ALICE');
    expect(await end(newPlayer())).toMatchObject({ status: 200 });
    expect(await codeOf('never-seen')).toBe('NotFound');
  });

  test('is in force from the start of the second, because times of purchases often have no fraction', async () => {
    const player = newPlayer();
    now = new Date('2026-05-02T12:00:00.900Z');
    await attach(player, 'ALICE');
    expect((await read(player)).body).toMatchObject({ attachedAt: '2026-05-02T12:00:00.000Z' });
    await end(player);
    expect(await codeOf(player)).toBe('NotFound');
    await attach(player, 'BOB');
    expect(await codeOf(player, { at: '2026-05-02T12:00:00Z' })).toBe('BOB');
    now = new Date('2026-05-02T12:00:00Z');
  });

  test('belongs to a group, and to a publisher', async () => {
    const player = newPlayer();
    await attach(player, 'BOB');
    await attach(player, 'BOB', undefined, 'moba');
    expect((await read(player)).body.memberId).toBe('acc_bob');
    expect((await read(player, { groupId: 'moba' })).body.memberId).toBe('acc_dora');
    expect((await read(player, { key: keys().moba })).body.memberId, 'a key of the group').toBe('acc_dora');
    expect(await codeOf(player, { key: keys().rival })).toBe('NotFound');
    expect(await end(player, { key: keys().rival })).toMatchObject({ status: 200 });
    expect(await codeOf(player)).toBe('BOB');
  });

  test('follows its creator: renamed, removed, approved again, and merged with a claimed account', async () => {
    const player = newPlayer();
    const id = await makeMember('main', 'FIRST');
    await attach(player, 'FIRST');
    await provisionGroup('main', `members: [ { id: ${id}, codes: [ { code: SECOND, primary: true } ] } ]`);
    expect((await read(player)).body).toMatchObject({ memberId: id });
    const member = (status: string) =>
      provisionGroup('main', `members: [ { id: ${id}, status: ${status} } ]`);
    await member('Removed');
    expect(await codeOf(player), 'a removed creator').toBe('NotFound');
    await member('Approved');
    expect(await codeOf(player)).not.toBe('NotFound');

    const claimed = await generate('main', 'p-claimed');
    const fan = newPlayer();
    await attach(fan, claimed);
    const accountId = await makeMember('main', 'CLAIMER');
    await linked('main', accountId, 'p-claimed');
    expect((await read(fan)).body).toMatchObject({ memberId: accountId });
  });

  test.each([
    ['an unknown code', { code: 'NOBODY' }, 400, 'CodeNotInGroup'],
    ['a code that isn’t approved', { code: 'OLD' }, 400, 'CodeNotInGroup'],
    ['the code of a pending creator', { code: 'PENDING' }, 400, 'CodeNotInGroup'],
    ['a code of another group', { code: 'MOBA-AL' }, 400, 'CodeNotInGroup'],
    ['another publisher’s code', { code: 'RIVAL' }, 400, 'CodeNotInGroup'],
    ['@player', { code: '@player' }, 400, 'CodeNotInGroup'],
    ['no code', {}, 400, 'InvalidInput'],
    ['a number', { code: 7 }, 400, 'InvalidInput'],
    ['a list', [{ code: 'ALICE' }], 400, 'InvalidInput'],
    ['a time without an offset', { code: 'ALICE', at: '2026-05-01T10:00:00' }, 400, 'InvalidInput'],
    ['a time in the future', { code: 'ALICE', at: '2026-05-02T12:06:00Z' }, 400, 'InvalidInput'],
  ])('is not attached: %s', async (_, json, status, code) => {
    const player = newPlayer();
    expect(await put(player, json)).toMatchObject({ status, body: { code, message: expect.anything() } });
    expect(await codeOf(player)).toBe('NotFound');
  });

  test('is not the player’s own', async () => {
    expect(await put('p-1', { code: 'ALICE' })).toMatchObject({ status: 409, body: { code: 'Conflict' } });
    expect(await codeOf('p-1')).toBe('NotFound');
    await attach('p-1', 'BOB');
  });

  test('needs a secret key, a group and a player', async () => {
    for (const ask of [read, end, (player: string, asked: Asked) => put(player, { code: 'ALICE' }, asked)]) {
      expect(await ask('fan', { key: keys().client })).toMatchObject({ status: 403 });
      expect(await ask('fan', { key: 'svc_sk_nothing' })).toMatchObject({ status: 401 });
      expect(await ask('fan', { groupId: 'nowhere' })).toMatchObject({ body: { code: 'InvalidGroup' } });
      expect(await ask('x'.repeat(256), {})).toMatchObject({ status: 400, body: { code: 'InvalidInput' } });
      expect(await ask('a\u0000b', {})).toMatchObject({ status: 400, body: { code: 'InvalidInput' } });
    }
    expect(await read('fan', { at: 'yesterday' })).toMatchObject({ status: 400 });
  });

  test('attached twice at the same time is one of both, and a player keeps a bounded number of them', async () => {
    const player = newPlayer();
    const at = '2026-05-01T00:00:00Z';
    const answers = await Promise.all(
      ['ALICE', 'BOB', 'ALICE', 'BOB'].map((code) => put(player, { code, at })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(['ALICE', 'BOB']).toContain(await codeOf(player));
    for (let second = 0; second < keptPerPlayer + 5; second += 1)
      await attach(player, 'BOB', new Date(Date.parse(at) + 1_000 + second * 1_000).toISOString());
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from player_code where player_id = ${player}`.execute(db());
    expect(rows).toEqual([{ count: keptPerPlayer }]);
    expect(await codeOf(player)).toBe('BOB');
  });
});

describe('a purchase with the code @player', () => {
  const buy = (playerId: string | undefined, more: object = {}) => {
    const { playerId: _, ...sent } = purchase({ code: '@player', ...more });
    return record({ ...sent, ...(playerId !== undefined && { playerId }) });
  };

  test('is credited to the code that the player had at the transactionDate', async () => {
    const player = newPlayer();
    await attach(player, 'ALICE', '2026-04-01T00:00:00Z');
    await attach(player, 'BOB', '2026-04-20T00:00:00Z');
    const early = await buy(player, { transactionDate: '2026-04-10T00:00:00Z' });
    expect(early).toMatchObject({ status: 200, body: { transaction: { code: 'ALICE', playerId: player } } });
    const late = await buy(player, { transactionDate: '2026-04-20T00:00:00Z' });
    expect(late).toMatchObject({ status: 200, body: { transaction: { code: 'BOB' } } });
    expect((await get(late.body.transaction.transactionId)).body).toMatchObject([
      { transaction: { code: 'BOB' } },
    ]);
    const { rows } = await sql<{ uses_player_code: boolean }>`
      select uses_player_code from attribution where transaction_id = ${late.body.transaction.transactionId}`.execute(
      db(),
    );
    expect(rows).toEqual([{ uses_player_code: true }]);
    const explained = await runInProcess(
      ['explain', late.body.transaction.transactionId, '--publisher', 'aurora'],
      { environment: { DATABASE_URL: databaseUrl(service().testDatabase.connection) } },
    );
    expect(explained.stdout).toContain("the player's code BOB");
  });

  test('is one of several in a list, with others whose code was sent', async () => {
    const player = newPlayer();
    await attach(player, 'BOB', '2026-04-01T00:00:00Z');
    const one = { ...purchase({ code: 'ALICE' }), playerId: player };
    const other = {
      ...purchase({ code: '@PLAYER' }),
      playerId: player,
      transactionDate: '2026-04-10T00:00:00Z',
    };
    expect(await record([one, other])).toMatchObject({
      status: 200,
      body: [{ transaction: { code: 'ALICE' } }, { transaction: { code: 'BOB' } }],
    });
    const at = '2026-04-10T00:00:00Z';
    expect(await codeOf(player, { at }), 'a sent code does not change the player’s').toBe('BOB');
  });

  test('that is sent again is the same purchase', async () => {
    const player = newPlayer();
    await attach(player, 'BOB', '2026-04-01T00:00:00Z');
    const sent = {
      ...purchase({ code: '@player' }),
      playerId: player,
      transactionDate: '2026-04-10T00:00:00Z',
    };
    expect(await record(sent)).toMatchObject({ status: 200 });
    await attach(player, 'ALICE', '2026-04-21T00:00:00Z');
    const again = await record(sent);
    expect([again.status, again.headers.get('x-conflict')]).toEqual([409, 'same-content']);
    expect(await record(sent, { query: '?repeat=return' })).toMatchObject({
      status: 200,
      body: { transaction: { code: 'BOB' } },
    });
  });

  test('is rejected if the player has no code, or is not named, and nothing is saved', async () => {
    const player = newPlayer();
    await attach(player, 'BOB', '2026-04-01T00:00:00Z');
    const late = '2026-05-01T00:00:00Z';
    expect(await buy(player, { transactionDate: late })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('no code at the transactionDate') },
    });
    expect(await buy(undefined)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('playerId') },
    });
    const [good, bad] = [
      { ...purchase(), code: 'ALICE' },
      { ...purchase(), code: '@player', playerId: 'never-seen' },
    ];
    expect(await record([good, bad])).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('1') },
    });
    expect((await get(good.transactionId)).status).toBe(404);
  });
});

test('codes that ended long ago are deleted', async () => {
  const player = newPlayer();
  await attach(player, 'ALICE', '2026-05-01T00:00:00Z');
  const lastMs = Date.parse('2026-05-31T00:00:00Z') + 90 * 86_400_000;
  const never = new AbortController().signal;
  await purgePlayerCodes(db(), new Date(lastMs), never);
  expect(await codeOf(player, { at: '2026-05-02T00:00:00Z' })).toBe('ALICE');
  await purgePlayerCodes(db(), new Date(lastMs + 1), never);
  expect(await codeOf(player, { at: '2026-05-02T00:00:00Z' })).toBe('NotFound');
});
