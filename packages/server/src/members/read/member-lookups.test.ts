import { describe, expect, test } from 'vitest';
import { seen, useManagement } from '../../../test/management.ts';

const { keys, ask, provisionGroup } = useManagement();

const byId = (memberId: string, query = '', key = keys().client) =>
  ask(`/members/id/${encodeURIComponent(memberId)}${query}`, { key });
const byPlayer = (playerId: string, query = '', key = keys().client) =>
  ask(`/members/player/${encodeURIComponent(playerId)}${query}`, { key });

describe.each([
  ['id', byId, 'acc_alice', 'CodeNotInGroup'],
  ['player', byPlayer, 'p-1', 'PlayerNotInGroup'],
] as const)('a lookup by %s', (_by, lookUp, known, refusal) => {
  test('answers 400 InvalidGroup first, whatever the id', async () => {
    for (const asked of [known, 'unknown', '😀']) {
      const { status, body } = await lookUp(asked, '?groupId=nowhere');
      expect([status, body.code]).toEqual([400, 'InvalidGroup']);
    }
  });

  test(`answers with the same 400 ${refusal} for everything but an approved member of the group`, async () => {
    const unknown = await lookUp('unknown');
    expect([unknown.status, unknown.body.code]).toEqual([400, refusal]);
    const others =
      refusal === 'CodeNotInGroup'
        ? ['acc_pending', 'acc_removed', 'acc_dora', 'acc_rival', 'ALICE', 'ACC_ALICE', "' or true --", '😀']
        : ['p-3', 'p-4', 'p-9', 'P-1', 'acc_alice', "' or true --", '😀'];
    for (const each of others) expect(seen(await lookUp(each))).toEqual(seen(unknown));
  });

  test('rejects text that cannot be an id', async () => {
    for (const each of ['\0', 'a\0b', 'x'.repeat(256)]) {
      expect((await lookUp(each)).body.code).toBe('InvalidInput');
    }
    for (const path of ['%', '%ff', '%ed%a0%80'])
      expect((await ask(`/members/${_by}/${path}`)).status).toBe(400);
  });

  test('rejects groupId given twice, and a request without a key', async () => {
    expect((await lookUp(known, '?groupId=main&groupId=main')).body.code).toBe('InvalidInput');
    const { status, body } = await ask(`/members/${_by}/${known}`, { key: null });
    expect([status, body.code]).toEqual([401, 'Unauthorized']);
  });

  test('returns the member record with the defaults of the group, as a lookup by code does', async () => {
    const { status, text, headers } = await lookUp(known);
    expect([status, text]).toEqual([200, (await ask('/members/ALICE')).text]);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect((await lookUp(known, '', keys().backend)).text).toBe(text);
  });

  test('uses the group of the key, else groupId, else the default group', async () => {
    expect((await lookUp(known, '?groupId=moba')).body.groupId).toBe('moba');
    expect((await lookUp(known, '?groupId=')).body.groupId).toBe('main');
    for (const query of ['?groupId=main', '?groupId=nowhere'])
      expect((await lookUp(known, query, keys().moba)).body.groupId).toBe('moba');
  });

  test('reflects a change at once, because nothing is cached', async () => {
    const change = (status: string) =>
      provisionGroup('main', `members: [ { id: acc_alice, status: ${status} } ]`);
    for (const status of ['Pending', 'Removed']) {
      await change(status);
      expect((await lookUp(known)).body.code).toBe(refusal);
      await change('Approved');
      expect((await lookUp(known)).body.id).toBe('acc_alice');
    }
  });
});

test('finds the current member of a playerId that a removed member had before', async () => {
  await provisionGroup('moba', 'members: [ { id: acc_old, playerId: p-shared, status: Removed } ]');
  expect((await byPlayer('p-shared', '?groupId=moba')).body.code).toBe('PlayerNotInGroup');
  await provisionGroup('moba', 'members: [ { id: acc_new, playerId: p-shared } ]');
  expect((await byPlayer('p-shared', '?groupId=moba')).body.id).toBe('acc_new');
});

test.each(['a/b', 'ä ö', '😀', '%2F', "o'neil", '..', 'x'.repeat(255)])(
  'finds a playerId with any text: %s',
  async (playerId) => {
    const id = `acc_text_${Buffer.from(playerId).toString('hex').slice(0, 40)}`;
    await provisionGroup('moba', `members: [ { id: ${id}, playerId: ${JSON.stringify(playerId)} } ]`);
    // HTTP clients resolve ".." in a URL even if it is encoded.
    if (playerId === '..') return;
    expect((await byPlayer(playerId, '?groupId=moba')).body).toMatchObject({ id, playerId });
  },
);

describe('a member record', () => {
  const record = async (id: string, group = 'main') => (await byId(id, `?groupId=${group}`)).body;

  test('omits absent values instead of null', async () => {
    await provisionGroup('main', 'members: [ { id: acc_bare } ]');
    expect(await record('acc_bare')).toEqual({
      groupId: 'main',
      groupName: 'Aurora Creators',
      id: 'acc_bare',
      name: 'acc_bare',
      codes: [],
      groupDefaultRevShare: 10,
      codeTTLInDays: 30,
    });
  });

  test('has images, and playerMetadata as stored: order, depth and unknown properties', async () => {
    const playerMetadata = '{"z":1,"displayName":"Ünï","a":{"list":[1,2.50,null,"x"],"1":true},"e":{}}';
    await provisionGroup(
      'main',
      `members: [ { id: acc_rich, logoImage: "https://img.example/l.png", profileImage: "https://img.example/p.png", playerMetadata: ${playerMetadata} } ]`,
    );
    const { body, text } = await byId('acc_rich');
    expect(body).toMatchObject({
      logoImage: 'https://img.example/l.png',
      profileImage: 'https://img.example/p.png',
    });
    expect(text).toContain(
      '"playerMetadata":{"z":1,"displayName":"Ünï","a":{"1":true,"list":[1,2.5,null,"x"]},"e":{}}',
    );
    await provisionGroup('main', 'members: [ { id: acc_rich, logoImage: null, profileImage: null } ]');
    const without = (await byId('acc_rich')).body;
    expect([Object.hasOwn(without, 'logoImage'), Object.hasOwn(without, 'profileImage')]).toEqual([
      false,
      false,
    ]);
  });

  test("has the account's global codes and this group's codes, but none of other groups or publishers", async () => {
    const codes = async (group: string) =>
      (await record('acc_alice', group)).codes.map(({ code }: { code: string }) => code);
    expect(await codes('main')).toEqual(['ALICE', 'AL-1', 'OLD']);
    expect(await codes('moba')).toEqual(['ALICE', 'MOBA-AL', 'OLD']);
  });

  test('has at most one primary code: a group code if one is primary, else a global one', async () => {
    const primaries = async (group: string) =>
      (await record('acc_alice', group)).codes
        .filter(({ isPrimary }: { isPrimary: boolean }) => isPrimary)
        .map(({ code }: { code: string }) => code);
    expect([await primaries('main'), await primaries('moba')]).toEqual([['ALICE'], ['ALICE']]);
    await provisionGroup(
      'moba',
      'members: [ { id: acc_alice, codes: [ { code: MOBA-AL, group: moba, primary: true } ] } ]',
    );
    expect([await primaries('main'), await primaries('moba')]).toEqual([['ALICE'], ['MOBA-AL']]);
    expect((await record('acc_alice', 'moba')).codes[0].code).toBe('MOBA-AL');
  });

  test('is the same in the list, in the answer for a tier (without the defaults) and in every lookup', async () => {
    const byCode = (await ask('/members/ALICE')).body;
    const [listed] = (await ask('/members')).body.members;
    const tier = (await ask('/tiers/7d0c5a3e-52f4-4c1b-9a68-0d1e6f2b7c90')).body.members[0];
    expect(listed).toEqual(byCode);
    const { groupDefaultRevShare: _share, codeTTLInDays: _days, ...plain } = byCode;
    expect(tier).toEqual(plain);
  });
});
