import { describe, expect, test } from 'vitest';
import { purchase } from '../../../test/fixtures.ts';
import { useMoney } from '../../../test/money.ts';

const { service, keys, record, get } = useMoney({ clock: { now: () => new Date('2026-05-02T12:00:00Z') } });

const pathOf = (playerId: string, at?: string): string =>
  `/v1/attributions/players/${playerId}/code${at === undefined ? '' : `?at=${at}`}`;
const read = (playerId: string, { at }: { at?: string } = {}) =>
  service().call('GET', pathOf(playerId, at), { key: keys().backend });
/** Returns the code that is in force, or the error's code. */
const codeOf = async (playerId: string, asked: { at?: string } = {}): Promise<string> =>
  (await read(playerId, asked)).body.code;
const attach = async (playerId: string, code: string, at: string) =>
  expect(
    await service().call('PUT', pathOf(playerId), { key: keys().backend, json: { code, at } }),
  ).toMatchObject({ status: 200 });
let players = 0;
function newPlayer(): string {
  players += 1;
  return `buyer-${players}`;
}

describe('a purchase with attach=true', () => {
  const at = '2026-05-01T00:00:00Z';
  const sent = (playerId: string, more: object = {}) => ({
    ...purchase(),
    code: 'BOB',
    playerId,
    transactionDate: at,
    ...more,
  });
  const attached = (json: object, query = '?attach=true') => record(json as never, { query });

  test('makes its code the player’s from the transactionDate on', async () => {
    const player = newPlayer();
    await attach(player, 'ALICE', '2026-04-28T00:00:00Z');
    expect(await attached(sent(player))).toMatchObject({
      status: 200,
      body: { transaction: { code: 'BOB' } },
    });
    expect(await codeOf(player, { at: '2026-04-30T23:59:59Z' })).toBe('ALICE');
    expect(await codeOf(player, { at })).toBe('BOB');
    const other = newPlayer();
    expect(await attached(sent(other), '?attach=false')).toMatchObject({ status: 200 });
    expect(await codeOf(other)).toBe('NotFound');
  });

  test('that was saved before attaches what a lost response left out, with 409 and with repeat=return', async () => {
    for (const query of ['?attach=true', '?attach=true&repeat=return']) {
      const player = newPlayer();
      const json = sent(player);
      expect(await attached(json, '')).toMatchObject({ status: 200 });
      expect(await codeOf(player)).toBe('NotFound');
      expect((await attached(json, query)).status).toBe(query.includes('repeat') ? 200 : 409);
      expect(await codeOf(player)).toBe('BOB');
    }
    const player = newPlayer();
    const json = sent(player);
    await attached(json, '');
    expect(await attached({ ...json, subtotal: 1 })).toMatchObject({ status: 409 });
    expect(await codeOf(player), 'other content attaches nothing').toBe('NotFound');
  });

  test('in a list attaches each player’s code; @player stays the player’s own', async () => {
    const [one, two, three] = [newPlayer(), newPlayer(), newPlayer()];
    await attach(three, 'ALICE', '2026-04-28T00:00:00Z');
    const list = [sent(one), sent(two, { code: 'ALICE' }), sent(three, { code: '@player' })];
    expect(await attached(list)).toMatchObject({ status: 200 });
    expect([await codeOf(one), await codeOf(two), await codeOf(three)]).toEqual(['BOB', 'ALICE', 'ALICE']);
    expect((await read(three)).body.attachedAt).toBe('2026-04-28T00:00:00.000Z');
  });

  test.each([
    ['without a player', { playerId: undefined }, 'playerId is required'],
    [
      'in the future',
      { transactionDate: '2026-05-02T13:00:00Z' },
      'transactionDate must not be in the future',
    ],
    ['with the player’s own code', { code: 'ALICE', playerId: 'p-1' }, 'code is the player’s own'],
    ['with an unknown code', { code: 'NOBODY' }, 'not the code of an approved member'],
    ['with an amount of 0', { subtotal: 0 }, 'subtotal'],
  ])('%s is rejected, and nothing is saved', async (_, more, message) => {
    const player = newPlayer();
    const json = sent(player, more);
    expect(await attached(json)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining(message) },
    });
    expect((await get(json.transactionId)).status).toBe(404);
    expect(await codeOf(player)).toBe('NotFound');
  });

  test('is rejected with two codes of a player at the same time, or more than 100 players', async () => {
    const player = newPlayer();
    const two = [sent(player), sent(player, { code: 'ALICE' })];
    expect(await attached(two)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('[1].code is a second code of the player') },
    });
    const many = Array.from({ length: 101 }, () => sent(newPlayer()));
    expect(await attached(many)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('up to 100') },
    });
    expect((await get(two[0]?.transactionId ?? '')).status).toBe(404);
    expect((await get(many[0]?.transactionId ?? '')).status).toBe(404);
  });
});
