import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { useLinking } from '../../test/linking.ts';
import { testSealer } from '../../test/sealer.ts';
import { testActor } from '../../test/test-actor.ts';
import { loadProgram } from '../publishers/programs.ts';
import { linkAccount } from './link-account.ts';

let nowMs = Date.UTC(2026, 0, 1);
const linking = useLinking({
  clock: { now: () => new Date(nowMs) },
  environment: { LINK_MISSES_PER_MINUTE: '10000' },
});
const { keys, link, generate, authCode, makeEmptyGroup, makeMember, makeOutsider, ask } = linking;
const some = { playerId: 'p-some', authCode: 'ABCD-EFGH' };
const codeOf = async (...sent: Parameters<typeof link>): Promise<[number, string]> => {
  const { status, body } = await link(...sent);
  return [status, body.code];
};
const expired = async (accountId: string): Promise<string> => {
  const code = await authCode(accountId);
  nowMs += 31 * 60_000;
  return code;
};

describe('authentication', () => {
  test('rejects requests without a key with 401 and a public key with 403, before reading the body', async () => {
    for (const body of [some, {}]) {
      expect(await codeOf('main', body, { key: null })).toEqual([401, 'Unauthorized']);
      expect(await codeOf('main', body, { key: keys().client })).toEqual([403, 'Forbidden']);
    }
  });
});

/** JSON 21 levels deep. */
const deepJson = `[${'['.repeat(20)}${']'.repeat(20)}]`;

describe('400 InvalidInput', () => {
  test.each([
    ['nothing', {}],
    ['no authCode', { playerId: 'p' }],
    ['no playerId', { authCode: 'ABCD-EFGH' }],
    ['an empty playerId', { playerId: '', authCode: 'ABCD-EFGH' }],
    ['an empty authCode', { playerId: 'p', authCode: '' }],
    ['a playerId that is too long', { playerId: 'x'.repeat(256), authCode: 'ABCD-EFGH' }],
    ['a playerId with a control character', { playerId: 'a\nb', authCode: 'ABCD-EFGH' }],
    ['an authCode that is too long', { playerId: 'p', authCode: 'x'.repeat(256) }],
    ['a displayName that is too long', { ...some, displayName: 'x'.repeat(256) }],
    [
      'a displayName in brackets that is too long',
      { ...some, 'playerMetadata[displayName]': 'x'.repeat(256) },
    ],
    ['a displayName with U+0000', { ...some, displayName: 'a\0b' }],
    ['metadata that is text', { ...some, playerMetadata: 'Al' }],
  ])('for a form with %s', async (_what, form) => {
    expect(await codeOf('main', form as Record<string, string>)).toEqual([400, 'InvalidInput']);
  });

  test.each([
    ['a list', [some]],
    ['null', null],
    ['a playerId that is a number', { ...some, playerId: 5 }],
    ['an authCode that is a number', { ...some, authCode: 22_222_222 }],
    ['an authCode that is a list', { ...some, authCode: ['ABCD-EFGH'] }],
    ['a displayName that is a number', { ...some, displayName: 1 }],
    ['a displayName that is null', { ...some, displayName: null }],
    ['metadata that is null', { ...some, playerMetadata: null }],
    ['metadata that is a list', { ...some, playerMetadata: [] }],
    ['a displayName in metadata that is a number', { ...some, playerMetadata: { displayName: 1 } }],
    ['metadata that is large', { ...some, playerMetadata: { note: 'x'.repeat(8_192) } }],
    ['metadata that is deep', { ...some, playerMetadata: { a: JSON.parse(deepJson) } }],
    ['metadata with a lone surrogate', { ...some, playerMetadata: { note: '\ud800' } }],
  ])('for JSON with %s', async (_what, json) => {
    expect(await codeOf('main', { json })).toEqual([400, 'InvalidInput']);
  });

  test('for a form with a repeated field', async () => {
    const { status, body } = await linking.service().call('POST', '/v1/manage/members/link', {
      key: keys().backend,
      form: 'playerId=a&playerId=b&authCode=ABCD-EFGH',
    });
    expect([status, body.code]).toEqual([400, 'InvalidInput']);
  });

  test('415 for another content type', async () => {
    const { status, body } = await linking.service().call('POST', '/v1/manage/members/link', {
      key: keys().backend,
      raw: '<playerId/>',
      headers: { 'content-type': 'text/xml' },
    });
    expect([status, body.code]).toEqual([415, 'InvalidInput']);
  });
});

test('the operation itself rejects too much metadata, for every entry point', async () => {
  const group = (await loadProgram(linking.db(), 'aurora'))?.groups.get('main');
  if (group === undefined) throw new Error('the group does not exist');
  const request = {
    publisherId: 'aurora',
    group,
    displayName: null,
    authCodeSecret: Buffer.alloc(32),
    sealer: testSealer,
    now: new Date(),
  };
  const mergeProgress = () => Promise.reject(new Error('unexpected merge'));
  for (const extra of [{ note: 'x'.repeat(8_192) }, { a: JSON.parse(deepJson) }])
    await expect(
      linkAccount({ mergeProgress }, linking.db(), testActor, {
        ...some,
        ...request,
        playerMetadata: { displayName: 'Al', ...extra },
      }),
    ).rejects.toMatchObject({ code: 'InvalidInput' });
});

describe('400 InvalidGroup', () => {
  test.each(['nowhere', 'hidden'])('for the group %s, before the auth code is checked', async (groupId) => {
    expect(await codeOf(groupId, some)).toEqual([400, 'InvalidGroup']);
  });
});

describe('400 InvalidAuthCode', () => {
  test.each(['ABCD-EFGH', 'ABCDEFGH', 'nonsense', '0000-0000', "' or 1=1 --", 'é', '\u{1f600}'.repeat(8)])(
    'for %j, which is not a code',
    async (code) => {
      expect(await codeOf('main', { playerId: 'p-1', authCode: code })).toEqual([400, 'InvalidAuthCode']);
    },
  );

  test("for an account that isn't a member, with an unused playerId; the code stays valid", async () => {
    const outsider = await makeOutsider('Outsider1');
    const code = await authCode(outsider);
    for (const _ of [1, 2]) {
      expect(await codeOf('main', { playerId: 'p-free', authCode: code })).toEqual([400, 'InvalidAuthCode']);
    }
    await generate('main', 'p-free');
    expect((await link('main', { playerId: 'p-free', authCode: code })).status).toBe(200);
  });

  test('for a member of another group of the publisher', async () => {
    await makeEmptyGroup('elsewhere');
    const member = await makeMember('elsewhere', 'Elsewhere');
    expect(await codeOf('main', { playerId: 'p-none', authCode: await authCode(member) })).toEqual([
      400,
      'InvalidAuthCode',
    ]);
  });

  test('for an account whose membership is Removed', async () => {
    const member = await makeMember('main', 'Gone', 'status: Removed');
    expect(await codeOf('main', { playerId: 'p-none', authCode: await authCode(member) })).toEqual([
      400,
      'InvalidAuthCode',
    ]);
  });

  test('for a used code', async () => {
    const member = await makeMember('main', 'Once');
    const code = await authCode(member);
    expect((await link('main', { playerId: 'p-once', authCode: code })).status).toBe(200);
    expect(await codeOf('main', { playerId: 'p-once', authCode: code })).toEqual([400, 'InvalidAuthCode']);
  });
});

describe('400 AccountNotFound', () => {
  test('for an account that another account claimed', async () => {
    await generate('main', 'p-closed');
    const { authCode: code } = (await ask('/members/p-closed/authCode')).body;
    await linking.linked('main', await makeOutsider('Outsider2'), 'p-closed');
    expect(await codeOf('main', { playerId: 'p-closed', authCode: code })).toEqual([400, 'AccountNotFound']);
  });
});

describe('400 PlayerAlreadyLinked', () => {
  test.each([
    ['an Approved member', 'p-2'],
    ['a Pending member', 'p-3'],
    ['a member with a managed code and one of its own', 'p-1'],
  ])('for the playerId of %s', async (_what, playerId) => {
    const member = await makeMember('main', `Late${playerId}`);
    const code = await authCode(member);
    expect(await codeOf('main', { playerId, authCode: code })).toEqual([400, 'PlayerAlreadyLinked']);
    expect((await link('main', { playerId: `${playerId}-new`, authCode: code })).status).toBe(200);
  });

  test.each([
    ['has no code', 'nocode', ''],
    [
      'has an unmanaged code of its own',
      'mixed',
      'codes: [ { code: MIX-1, managed: true }, { code: MIX-2 } ]',
    ],
    [
      'has a managed code in another group only',
      'abroad',
      '',
      'codes: [ { code: ABROAD, managed: true, group: moba } ]',
    ],
    [
      'has an unmanaged code in another group',
      'half',
      'codes: [ { code: HALF, managed: true, group: main } ]',
      'codes: [ { code: HALF-2, group: moba } ]',
    ],
  ])('for the playerId of a member that %s', async (_what, name, settings, inMoba = '') => {
    const member = `{ id: acc_${name}, playerId: p-${name}`;
    await linking.provisionGroup('main', `members: [ ${member}, ${settings} } ]`);
    if (inMoba !== '') await linking.provisionGroup('moba', `members: [ ${member}, ${inMoba} } ]`);
    const code = await authCode(await makeOutsider(`By${name}`));
    expect(await codeOf('main', { playerId: `p-${name}`, authCode: code })).toEqual([
      400,
      'PlayerAlreadyLinked',
    ]);
  });

  test.each([
    ["a creator's own", null],
    ["another publisher's", 'rival'],
  ])('for a member with only managed codes, whose account is %s', async (_what, owner) => {
    const playerId = `p-of-${owner}`;
    await generate('main', playerId);
    await linking.query(sql`
      update creator_account
      set owner_publisher_id = ${owner}
      where account_id = (select account_id from membership where player_id = ${playerId})`);
    const code = await authCode(await makeOutsider(`For${owner}`));
    expect(await codeOf('main', { playerId, authCode: code })).toEqual([400, 'PlayerAlreadyLinked']);
  });

  test('for a generated member whose account another publisher has linked', async () => {
    const atRival = { key: keys().rival };
    await generate('main', 'p-own-abroad');
    await linking.send('POST', '/members?groupId=main', { playerId: 'p-rival-own' }, atRival);
    const { authCode: own } = (await ask('/members/p-own-abroad/authCode')).body;
    const linked = await link('main', { playerId: 'p-rival-own', authCode: own }, atRival);
    expect([linked.status, linked.body]).toEqual([200, expect.anything()]);
    const code = await authCode(await makeOutsider('Abroad'));
    expect(await codeOf('main', { playerId: 'p-own-abroad', authCode: code })).toEqual([
      400,
      'PlayerAlreadyLinked',
    ]);
    const { body } = await ask('/members/player/p-rival-own', atRival);
    expect(body.id).toBe(linked.body.id);
    for (const abroad of [
      await ask('/members/p-rival-own/authCode', atRival),
      await ask('/members/p-own-abroad/authCode'),
    ])
      expect(abroad.body.code, 'neither publisher can get its auth codes').toBe('PlayerNotInGroup');
  });

  test('for a member that another creator claimed', async () => {
    await generate('main', 'p-taken');
    await linking.linked('main', await makeOutsider('First'), 'p-taken');
    const code = await authCode(await makeOutsider('Second'));
    expect(await codeOf('main', { playerId: 'p-taken', authCode: code })).toEqual([
      400,
      'PlayerAlreadyLinked',
    ]);
  });
});

describe('400 MemberAlreadyLinked', () => {
  test('for a member with a different playerId, whether the new one is free or claimable', async () => {
    const member = await makeMember('main', 'Linked', 'playerId: p-linked');
    await generate('main', 'p-claimable');
    const code = await authCode(member);
    for (const playerId of ['p-unheard', 'p-claimable']) {
      expect(await codeOf('main', { playerId, authCode: code })).toEqual([400, 'MemberAlreadyLinked']);
    }
    expect((await link('main', { playerId: 'p-linked', authCode: code })).status).toBe(200);
  });
});

describe('of several errors, the response has the first of', () => {
  test('InvalidInput, InvalidGroup and InvalidAuthCode', async () => {
    expect(await codeOf('nowhere', { playerId: 'p' })).toEqual([400, 'InvalidInput']);
    for (const playerMetadata of [{ note: 'x'.repeat(8_192) }, { a: JSON.parse(deepJson) }])
      expect(await codeOf('nowhere', { json: { ...some, playerMetadata } })).toEqual([400, 'InvalidInput']);
    expect(await codeOf('nowhere', { playerId: 'p-2', authCode: 'nonsense' })).toEqual([400, 'InvalidGroup']);
    expect(await codeOf('main', { playerId: 'p-2', authCode: 'nonsense' })).toEqual([400, 'InvalidAuthCode']);
  });

  test('ExpiredAuthCode, AccountNotFound and PlayerAlreadyLinked', async () => {
    await generate('main', 'p-both');
    const { authCode: closed } = (await ask('/members/p-both/authCode')).body;
    await linking.linked('main', await makeOutsider('Both'), 'p-both');
    expect(await codeOf('main', { playerId: 'p-2', authCode: closed })).toEqual([400, 'AccountNotFound']);
    nowMs += 31 * 60_000;
    expect(await codeOf('main', { playerId: 'p-2', authCode: closed })).toEqual([400, 'ExpiredAuthCode']);
    const member = await makeMember('main', 'Both2', 'playerId: p-both2');
    expect(await codeOf('main', { playerId: 'p-2', authCode: await expired(member) })).toEqual([
      400,
      'ExpiredAuthCode',
    ]);
  });

  test('PlayerAlreadyLinked, MemberAlreadyLinked and InvalidAuthCode for nothing to link', async () => {
    const member = await makeMember('main', 'Order', 'playerId: p-order');
    expect(await codeOf('main', { playerId: 'p-2', authCode: await authCode(member) })).toEqual([
      400,
      'PlayerAlreadyLinked',
    ]);
    expect(
      await codeOf('main', { playerId: 'p-2', authCode: await authCode(await makeOutsider('Order2')) }),
    ).toEqual([400, 'PlayerAlreadyLinked']);
  });
});
