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
] as const)('a look-up by %s', (_by, lookUp, known, refusal) => {
  test('is 400 InvalidGroup first, whoever is asked for', async () => {
    for (const asked of [known, 'nobody', '😀']) {
      const { status, body } = await lookUp(asked, '?groupId=nowhere');
      expect([status, body.code]).toEqual([400, 'InvalidGroup']);
    }
  });

  test(`is 400 ${refusal} for everybody who is no approved member of the group, always the same answer`, async () => {
    const nobody = await lookUp('nobody');
    expect([nobody.status, nobody.body.code]).toEqual([400, refusal]);
    const others =
      refusal === 'CodeNotInGroup'
        ? ['acc_pending', 'acc_removed', 'acc_dora', 'acc_rival', 'ALICE', 'ACC_ALICE', "' or true --", '😀']
        : ['p-3', 'p-4', 'p-9', 'P-1', 'acc_alice', "' or true --", '😀'];
    for (const each of others) expect(seen(await lookUp(each))).toEqual(seen(nobody));
  });

  test('refuses what cannot be an id, and never fails', async () => {
    for (const each of ['\0', 'a\0b', 'x'.repeat(256)]) {
      expect((await lookUp(each)).body.code).toBe('InvalidInput');
    }
    for (const path of ['%', '%ff', '%ed%a0%80'])
      expect((await ask(`/members/${_by}/${path}`)).status).toBe(400);
  });

  test('refuses groupId given twice, and asks for a key', async () => {
    expect((await lookUp(known, '?groupId=main&groupId=main')).body.code).toBe('InvalidInput');
    const { status, body } = await ask(`/members/${_by}/${known}`, { key: null });
    expect([status, body.code]).toEqual([401, 'Unauthorized']);
  });

  test('gives the member record with the defaults of the group, as a look-up by code does', async () => {
    const { status, text, headers } = await lookUp(known);
    expect([status, text]).toEqual([200, (await ask('/members/ALICE')).text]);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect((await lookUp(known, '', keys().backend)).text).toBe(text);
  });

  test('goes by the group of the key, then groupId, then the default', async () => {
    expect((await lookUp(known, '?groupId=moba')).body.groupId).toBe('moba');
    expect((await lookUp(known, '?groupId=')).body.groupId).toBe('main');
    for (const query of ['?groupId=main', '?groupId=nowhere'])
      expect((await lookUp(known, query, keys().moba)).body.groupId).toBe('moba');
  });

  test('sees a change at once: nothing of it is kept in memory', async () => {
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

test('a playerId that passed from a removed member to another names the other', async () => {
  await provisionGroup('moba', 'members: [ { id: acc_old, playerId: p-shared, status: Removed } ]');
  expect((await byPlayer('p-shared', '?groupId=moba')).body.code).toBe('PlayerNotInGroup');
  await provisionGroup('moba', 'members: [ { id: acc_new, playerId: p-shared } ]');
  expect((await byPlayer('p-shared', '?groupId=moba')).body.id).toBe('acc_new');
});

test.each(['a/b', 'ä ö', '😀', '%2F', "o'neil", '..', 'x'.repeat(255)])(
  'a playerId of any text is found as it was given: %s',
  async (playerId) => {
    const id = `acc_text_${Buffer.from(playerId).toString('hex').slice(0, 40)}`;
    await provisionGroup('moba', `members: [ { id: ${id}, playerId: ${JSON.stringify(playerId)} } ]`);
    // An address's own parts, such as "..", are taken out by clients even when they are encoded.
    if (playerId === '..') return;
    expect((await byPlayer(playerId, '?groupId=moba')).body).toMatchObject({ id, playerId });
  },
);

describe('a member record', () => {
  const record = async (id: string, group = 'main') => (await byId(id, `?groupId=${group}`)).body;

  test('leaves out what is absent, never null', async () => {
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

  test('has pictures, and gives playerMetadata back as it was stored: order, depth and unknown properties', async () => {
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

  test("has the account's global codes and this group's own, never another group's or publisher's", async () => {
    const codes = async (group: string) =>
      (await record('acc_alice', group)).codes.map(({ code }: { code: string }) => code);
    expect(await codes('main')).toEqual(['ALICE', 'AL-1', 'OLD']);
    expect(await codes('moba')).toEqual(['ALICE', 'MOBA-AL', 'OLD']);
  });

  test("has one primary code at most: the group's own when it has one, else the global one", async () => {
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

  test('is the same in the list, in tier detail (without the defaults) and in every look-up', async () => {
    const byCode = (await ask('/members/ALICE')).body;
    const [listed] = (await ask('/members')).body.members;
    const tier = (await ask('/tiers/7d0c5a3e-52f4-4c1b-9a68-0d1e6f2b7c90')).body.members[0];
    expect(listed).toEqual(byCode);
    const { groupDefaultRevShare: _share, codeTTLInDays: _days, ...plain } = byCode;
    expect(tier).toEqual(plain);
  });
});
