import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { purchase } from '../../../test/fixtures.ts';
import { useManagement } from '../../../test/management.ts';
import { startService, type TestService } from '../../../test/test-service.ts';

const { service, keys, ask, send, record, provisionGroup } = useManagement();
let other: TestService;
beforeAll(async () => {
  other = await startService({ beside: service() });
});
afterAll(() => other.close());

const path = '/members';
const generate = (json: unknown, query = '', sent: { key?: string | null; at?: TestService } = {}) =>
  send('POST', path + query, json, sent);
const countAccounts = async (): Promise<number> => {
  const { count } = await service()
    .testDatabase.database.db.selectFrom('creator_account')
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
};

describe('generating a member is rejected', () => {
  const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

  test.each([
    ['without a playerId', '{}'],
    ['for a list', '[{"playerId":"p"}]'],
    ['for a playerId that is empty', '{"playerId":""}'],
    ['for a playerId that is a number', '{"playerId":5}'],
    ['for a playerId that is null', '{"playerId":null}'],
    ['for a playerId too long', `{"playerId":"${'x'.repeat(256)}"}`],
    ['for a playerId with a control character', '{"playerId":"a\\nb"}'],
    ['for a playerId with U+0000', '{"playerId":"a\\u0000b"}'],
    ['for a playerId with half a character', '{"playerId":"\\ud800"}'],
    ['for metadata that is text', '{"playerId":"p","playerMetadata":"Al"}'],
    ['for metadata that is a list', '{"playerId":"p","playerMetadata":[]}'],
    ['for a displayName that is a number', '{"playerId":"p","playerMetadata":{"displayName":1}}'],
    ['for a displayName too long', `{"playerId":"p","playerMetadata":{"displayName":"${'x'.repeat(256)}"}}`],
    ['for metadata with U+0000', '{"playerId":"p","playerMetadata":{"note":"a\\u0000b"}}'],
    ['for metadata with half a character', '{"playerId":"p","playerMetadata":{"\\udc00":1}}'],
    ['for metadata that is large', `{"playerId":"p","playerMetadata":{"note":"${'x'.repeat(8_192)}"}}`],
    ['for metadata that is deep', `{"playerId":"p","playerMetadata":{"a":${nested(16)}}}`],
    ['for metadata far too deep', `{"playerId":"p","playerMetadata":{"a":${nested(100_000)}}}`],
    ['without JSON', 'playerId=p'],
    ['without a body', ''],
  ])('400 InvalidInput %s', async (_what, raw) => {
    const before = await countAccounts();
    const { status, body } = await send('POST', path, null, {
      raw,
      headers: { 'content-type': 'application/json' },
    });
    expect([status, body.code]).toEqual([400, 'InvalidInput']);
    expect(await countAccounts()).toBe(before);
  });

  test.each([
    ['Pending', 'p-3'],
    ['Removed', 'p-4'],
  ])('400 InvalidInput for the playerId of a member that is %s', async (status, playerId) => {
    const answer = await generate({ playerId });
    expect([answer.status, answer.body.code]).toEqual([400, 'InvalidInput']);
    expect(answer.body.message).toContain(status);
  });

  test('400 InvalidGroup in a group that the publisher does not have', async () => {
    const { status, body } = await generate({ playerId: 'p-new' }, '?groupId=nowhere');
    expect([status, body.code]).toEqual([400, 'InvalidGroup']);
  });

  test('401 without a key and 403 with a public one, before the body is read', async () => {
    for (const json of [{ playerId: 'p-new' }, {}]) {
      expect((await generate(json, '', { key: null })).body.code).toBe('Unauthorized');
      const { status, body } = await generate(json, '', { key: keys().client });
      expect([status, body.code]).toEqual([403, 'Forbidden']);
    }
  });
});

describe('a member is generated', () => {
  test('with a group code that credits purchases and is found at once, in every process', async () => {
    const { status, body } = await generate({ playerId: 'g-1' });
    expect(status).toBe(200);
    expect(body).toEqual({
      groupId: 'main',
      groupName: 'Aurora Creators',
      playerId: 'g-1',
      code: expect.stringMatching(/^[0-9A-Z]{8}$/),
    });
    for (const at of [service(), other]) {
      const recorded = await record(purchase({ code: body.code.toLowerCase() }), { at });
      expect(recorded.body.transaction).toMatchObject({ code: body.code, memberPlayerId: 'g-1' });
      expect((await ask(`/members/${body.code}`, { at })).body.playerId).toBe('g-1');
      expect((await ask(`/members/${body.code}?groupId=moba`, { at })).body.code).toBe('CodeNotInGroup');
      expect((await record(purchase({ code: body.code }), { at, query: '?groupId=moba' })).status).toBe(400);
    }
  });

  test('without metadata for null', async () => {
    const { status, body } = await generate({ playerId: 'g-null', playerMetadata: null });
    expect([status, body.playerId, 'playerMetadata' in body]).toEqual([200, 'g-null', false]);
  });

  test('with an account of its own, and appears in the list', async () => {
    const playerMetadata = { displayName: 'Greta', team: { name: 'Red', rank: [1, 2] } };
    const { body } = await generate({ playerId: 'g-2', playerMetadata });
    expect(body.playerMetadata).toEqual(playerMetadata);
    const member = (await ask('/members/player/g-2')).body;
    expect(member).toEqual({
      groupId: 'main',
      groupName: 'Aurora Creators',
      id: expect.stringMatching(/^gen_[0-9A-Za-z]{20}$/),
      name: 'Greta',
      playerId: 'g-2',
      playerMetadata,
      codes: [{ code: body.code, isPrimary: true, isGenerated: true, isManaged: true }],
      groupDefaultRevShare: 10,
      codeTTLInDays: 30,
    });
    expect((await ask(`/members/id/${member.id}`)).body).toEqual(member);
    expect((await ask('/members')).body.members).toContainEqual(member);
  });

  test.each([
    ['no metadata', {}],
    ['no displayName', { playerMetadata: { note: 'x' } }],
    ['an empty displayName', { playerMetadata: { displayName: '' } }],
  ])('with its playerId as its name when there is %s', async (what, more) => {
    const playerId = `g-${what}`;
    const { body } = await generate({ playerId, ...more });
    expect(body.playerMetadata).toEqual(Object.values(more)[0]);
    expect((await ask(`/members/${body.code}`)).body.name).toBe(playerId);
  });

  test('with metadata of the largest depth and size, returned as sent', async () => {
    const deep = JSON.parse(`${'{"a":'.repeat(16)}1${'}'.repeat(16)}`);
    const large = { note: 'x'.repeat(8_192 - '{"note":""}'.length) };
    for (const [playerId, playerMetadata] of [
      ['g-deep', deep],
      ['g-large', large],
    ] as const) {
      expect((await generate({ playerId, playerMetadata })).body.playerMetadata).toEqual(playerMetadata);
      expect((await ask(`/members/player/${playerId}`)).body.playerMetadata).toEqual(playerMetadata);
    }
  });

  test('in the group of the key, or else of groupId', async () => {
    expect((await generate({ playerId: 'g-3' }, '?groupId=moba')).body.groupId).toBe('moba');
    const scoped = await generate({ playerId: 'g-4' }, '?groupId=main', { key: keys().moba });
    expect(scoped.body.groupId).toBe('moba');
    expect((await ask('/members/player/g-4')).body.code).toBe('PlayerNotInGroup');
  });

  test('separately for the same playerId in another group or at another publisher', async () => {
    const codes = [
      (await generate({ playerId: 'g-5' })).body.code,
      (await generate({ playerId: 'g-5' }, '?groupId=moba')).body.code,
      (await generate({ playerId: 'g-5' }, '', { key: keys().rival })).body.code,
    ];
    expect(new Set(codes).size).toBe(3);
    expect((await ask(`/members/${codes[2]}`)).body.code).toBe('CodeNotInGroup');
  });
});

describe('generating a member for the same player again', () => {
  test('returns the same member with the same code and the first metadata', async () => {
    const first = await generate({ playerId: 'g-6', playerMetadata: { displayName: 'First' } });
    const before = await countAccounts();
    for (const more of [{}, { playerMetadata: { displayName: 'Second' } }]) {
      const again = await generate({ playerId: 'g-6', ...more });
      expect([again.status, again.text]).toEqual([200, first.text]);
    }
    expect(await countAccounts()).toBe(before);
  });

  test('creates one member for fifty concurrent calls in two processes', async () => {
    const before = await countAccounts();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        generate({ playerId: 'g-7' }, '', { at: index % 2 === 0 ? service() : other }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await countAccounts()).toBe(before + 1);
  });

  test('returns the primary code of an approved member that was created in another way', async () => {
    const codeOf = async (playerId: string, query = '') => (await generate({ playerId }, query)).body.code;
    const before = await countAccounts();
    expect(await codeOf('p-1')).toBe('ALICE');
    expect(await codeOf('p-1', '?groupId=moba')).toBe('ALICE');
    await provisionGroup(
      'moba',
      'members: [ { id: acc_alice, codes: [ { code: MOBA-AL, group: moba, primary: true } ] } ]',
    );
    expect(await codeOf('p-1', '?groupId=moba')).toBe('MOBA-AL');
    expect(await codeOf('p-1')).toBe('ALICE');
    expect(await countAccounts()).toBe(before);
  });

  test('is rejected with 400 for a member without any code', async () => {
    await provisionGroup('main', 'members: [ { id: acc_codeless, playerId: g-8 } ]');
    const { status, body } = await generate({ playerId: 'g-8' });
    expect([status, body.code]).toEqual([400, 'InvalidInput']);
  });

  test('returns the current member of a player whose earlier member was removed', async () => {
    await provisionGroup(
      'main',
      'members: [ { id: acc_gone, playerId: g-9, status: Removed }, { id: acc_here, playerId: g-9, codes: [ { code: HERE } ] } ]',
    );
    expect((await generate({ playerId: 'g-9' })).body.code).toBe('HERE');
  });
});
