import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../../test/attribution-process.ts';
import { purchase } from '../../../test/fixtures.ts';
import { seen, useManagement } from '../../../test/management.ts';
import { connect } from '../../../test/test-database.ts';
import { startService, type TestService } from '../../../test/test-service.ts';

const { service, keys, ask, record, provisionGroup } = useManagement();
let other: TestService;
beforeAll(async () => {
  other = await startService({ beside: service() });
});
afterAll(() => other.close());

interface Asked {
  groupId?: string;
  key?: string;
  at?: TestService;
}
const lookUp = (code: string, { groupId, ...sent }: Asked = {}) =>
  ask(`/members/${encodeURIComponent(code)}${groupId === undefined ? '' : `?groupId=${groupId}`}`, {
    key: keys().client,
    ...sent,
  });
/** The id of the member, or the code of the refusal. */
const found = async (code: string, asked: Asked = {}): Promise<string> => {
  const { status, body } = await lookUp(code, asked);
  expect(status).toBe(body.code === undefined ? 200 : 400);
  return body.code ?? body.id;
};

describe('an account id where a code is asked for', () => {
  test('finds its member in the group, and nobody else', async () => {
    expect((await lookUp('acc_alice')).body).toEqual((await lookUp('ALICE')).body);
    expect(await found('acc_alice', { groupId: 'moba' })).toBe('acc_alice');
    expect(await found('acc_dora', { groupId: 'moba' })).toBe('acc_dora');
    for (const other of ['acc_dora', 'acc_rival', 'acc_pending', 'acc_removed', 'ACC_ALICE', 'acc_none'])
      expect(await found(other)).toBe('CodeNotInGroup');
  });

  test('gives way to a code of that text', async () => {
    await provisionGroup('main', 'members: [ { id: acc_other, codes: [ { code: acc_bob } ] } ]');
    expect(await found('acc_bob')).toBe('acc_other');
    expect(await found('ACC_BOB')).toBe('acc_other');
    expect(await found('acc_bob', { groupId: 'moba' })).toBe('CodeNotInGroup');
  });
});

describe('a code is refused', () => {
  test('400 InvalidGroup before the code is looked at', async () => {
    for (const code of ['ALICE', 'NOBODY', 'x'.repeat(300)]) {
      expect((await lookUp(code, { groupId: 'nowhere' })).body).toEqual({
        code: 'InvalidGroup',
        message: 'No creator group was found for the groupId.',
      });
    }
  });

  test.each([
    ['of a pending member', 'PENDING'],
    ['of a removed member', 'REMOVED'],
    ['that is not approved', 'OLD'],
    ['of a creator who is not in the group', 'DORA'],
    ["that is another group's own", 'MOBA-AL'],
    ["of another publisher's creator", 'RIVAL'],
    ['that nobody has', 'NOBODY'],
    ['too short', 'A'],
    ['too long', 'A'.repeat(33)],
    ['much too long', 'A'.repeat(3_000)],
    ['with a space', ' ALICE'],
    ['with a wildcard', 'ALIC_'],
    ['of letters that only look alike', 'АLICE'],
    ['with a Kelvin sign', 'A\u212A'],
    ['with U+0000', 'ALICE\0'],
    ['with a slash', 'a/b'],
    ['that is an emoji', '😀'],
    ["that is a word of the path: 'id'", 'id'],
    ["that is a word of the path: 'player'", 'player'],
  ])('400 CodeNotInGroup, always the same answer: %s', async (_what, code) => {
    const answer = await lookUp(code);
    expect([answer.status, answer.body.code]).toEqual([400, 'CodeNotInGroup']);
    expect(seen(answer)).toEqual(seen(await lookUp('NO-SUCH')));
  });

  test.each(['%', '%ff', '%c0%80', '%ed%a0%80'])('400 when the path is no text: %s', async (code) => {
    expect((await ask(`/members/${code}`)).status).toBe(400);
  });

  test('400 when groupId is given twice', async () => {
    expect((await ask('/members/ALICE?groupId=main&groupId=main')).body.code).toBe('InvalidInput');
  });

  test('401 without a key, whatever the code', async () => {
    for (const code of ['ALICE', 'NOBODY']) {
      const { status, body } = await ask(`/members/${code}`, { key: null });
      expect([status, body.code]).toEqual([401, 'Unauthorized']);
    }
  });
});

describe('a code finds its member', () => {
  test('with the member record and the defaults of the group', async () => {
    const { status, body, headers } = await lookUp('ALICE');
    expect(status).toBe(200);
    expect(body).toEqual({
      groupId: 'main',
      groupName: 'Aurora Creators',
      id: 'acc_alice',
      name: 'Alice',
      playerId: 'p-1',
      playerMetadata: { displayName: 'Al' },
      codes: [
        { code: 'ALICE', isPrimary: true, isGenerated: false, isManaged: false },
        { code: 'AL-1', isPrimary: false, isGenerated: true, isManaged: true },
        { code: 'OLD', isPrimary: false, isGenerated: false, isManaged: false },
      ],
      groupDefaultRevShare: 10,
      codeTTLInDays: 30,
    });
    expect(headers.get('access-control-allow-origin')).toBe('*');
  });

  test.each(['ALICE', 'alice', 'aLiCe', 'al-1'])('in any case: %s', async (code) => {
    expect((await lookUp(code)).text).toBe((await lookUp('ALICE')).text);
  });

  test('in every group that the creator is a member of, when it is global', async () => {
    expect(await found('ALICE', { groupId: 'moba' })).toBe('acc_alice');
  });

  test('in its own group alone, when it belongs to one', async () => {
    expect(await found('MOBA-AL', { groupId: 'moba' })).toBe('acc_alice');
    expect(await found('AL-1', { groupId: 'moba' })).toBe('CodeNotInGroup');
  });

  test("before a global one of the same text: the group's own code wins", async () => {
    expect(await found('BOB')).toBe('acc_bob');
    expect(await found('bob', { groupId: 'moba' })).toBe('acc_dora');
  });

  test('with a key of one group in that group, whatever is asked for', async () => {
    for (const groupId of ['main', 'nowhere']) {
      expect(await found('MOBA-AL', { groupId, key: keys().moba })).toBe('acc_alice');
      expect(await found('AL-1', { groupId, key: keys().moba })).toBe('CodeNotInGroup');
    }
  });

  test('hidden or not: visibility is for lists', async () => {
    await provisionGroup('main', 'members: [ { id: acc_shy, visible: false, codes: [ { code: SHY } ] } ]');
    expect(await found('SHY')).toBe('acc_shy');
  });

  test('called like a word of the path', async () => {
    await provisionGroup('main', 'members: [ { id: acc_word, codes: [ { code: Player }, { code: ID } ] } ]');
    expect([await found('player'), await found('id')]).toEqual(['acc_word', 'acc_word']);
  });
});

describe('a change of the program is seen', () => {
  const change = (rest: string) => provisionGroup('main', `members: [ { id: acc_bob, ${rest} } ]`);

  test('at once, in every process, when a code is new', async () => {
    for (const [index, at] of [service(), other, service()].entries()) {
      expect(await found(`NEW-${index}`, { at })).toBe('CodeNotInGroup');
      await change(`codes: [ { code: NEW-${index} } ]`);
      expect(await found(`NEW-${index}`, { at })).toBe('acc_bob');
    }
  });

  test('within five seconds, in every process, when what is kept in memory is no longer so', async () => {
    const changes = [
      ['name: Robert', async (at: TestService) => (await lookUp('BOB', { at })).body.name === 'Robert'],
      ['status: Removed', async (at: TestService) => (await found('BOB', { at })) === 'CodeNotInGroup'],
      ['status: Approved', async (at: TestService) => (await found('BOB', { at })) === 'acc_bob'],
    ] as const;
    for (const [rest, isSeen] of changes) {
      for (const at of [service(), other]) await lookUp('BOB', { at });
      await change(rest);
      const changedAt = performance.now();
      for (const at of [service(), other]) await until(`${rest} to be seen`, () => isSeen(at));
      expect(performance.now() - changedAt).toBeLessThan(5_000);
    }
  });

  test('at once after the process has noticed it, which recording does', async () => {
    await record(purchase());
    expect((await lookUp('BOB')).body.playerId).toBe('p-2');
    await change('playerId: p-22');
    await record(purchase());
    expect((await lookUp('BOB')).body.playerId).toBe('p-22');
    await change('playerId: p-2');
  });
});

test('a look-up that is warm asks the database nothing', async () => {
  await record(purchase());
  await lookUp('ALICE');
  const client = await connect(service().testDatabase.connection);
  await client.query('begin');
  // Whatever would read a table waits for this lock.
  await client.query(
    'lock table api_key, publisher, creator_group, membership, creator_account, group_code, global_code in access exclusive mode',
  );
  const cold = lookUp('AL-1');
  const isWaiting = Promise.race([cold.then(() => 'answered'), sleep(300).then(() => 'waits')]);
  for (let count = 0; count < 100; count += 1) expect((await lookUp('alice')).status).toBe(200);
  expect(await isWaiting, 'the lock would be noticed').toBe('waits');
  await client.query('rollback');
  expect((await cold).status).toBe(200);
});
