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

interface LookUpOptions {
  groupId?: string;
  key?: string;
  at?: TestService;
}
const lookUp = (code: string, { groupId, ...sent }: LookUpOptions = {}) =>
  ask(`/members/${encodeURIComponent(code)}${groupId === undefined ? '' : `?groupId=${groupId}`}`, {
    key: keys().client,
    ...sent,
  });
const found = async (code: string, options: LookUpOptions = {}): Promise<string> => {
  const { status, body } = await lookUp(code, options);
  expect(status).toBe(body.code === undefined ? 200 : 400);
  return body.code ?? body.id;
};

describe('an account id in place of a code', () => {
  test('finds only its member in the group', async () => {
    expect((await lookUp('acc_alice')).body).toEqual((await lookUp('ALICE')).body);
    expect(await found('acc_alice', { groupId: 'moba' })).toBe('acc_alice');
    expect(await found('acc_dora', { groupId: 'moba' })).toBe('acc_dora');
    for (const other of ['acc_dora', 'acc_rival', 'acc_pending', 'acc_removed', 'ACC_ALICE', 'acc_none'])
      expect(await found(other)).toBe('CodeNotInGroup');
  });

  test('has lower precedence than a code with the same text', async () => {
    await provisionGroup('main', 'members: [ { id: acc_other, codes: [ { code: acc_bob } ] } ]');
    expect(await found('acc_bob')).toBe('acc_other');
    expect(await found('ACC_BOB')).toBe('acc_other');
    expect(await found('acc_bob', { groupId: 'moba' })).toBe('CodeNotInGroup');
  });
});

describe('a code is rejected', () => {
  test('400 InvalidGroup before the code is read', async () => {
    for (const code of ['ALICE', 'UNKNOWN', 'x'.repeat(300)]) {
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
    ['that does not exist', 'UNKNOWN'],
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
    ["that is part of another path: 'id'", 'id'],
    ["that is part of another path: 'player'", 'player'],
  ])('400 CodeNotInGroup, always the same answer: %s', async (_what, code) => {
    const answer = await lookUp(code);
    expect([answer.status, answer.body.code]).toEqual([400, 'CodeNotInGroup']);
    expect(seen(answer)).toEqual(seen(await lookUp('NO-SUCH')));
  });

  test.each(['%', '%ff', '%c0%80', '%ed%a0%80'])('400 for a path that is not text: %s', async (code) => {
    expect((await ask(`/members/${code}`)).status).toBe(400);
  });

  test('400 for groupId given twice', async () => {
    expect((await ask('/members/ALICE?groupId=main&groupId=main')).body.code).toBe('InvalidInput');
  });

  test('401 without a key, whatever the code', async () => {
    for (const code of ['ALICE', 'UNKNOWN']) {
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

  test('in every group of the creator, if it is global', async () => {
    expect(await found('ALICE', { groupId: 'moba' })).toBe('acc_alice');
  });

  test('only in its own group, if it is a group code', async () => {
    expect(await found('MOBA-AL', { groupId: 'moba' })).toBe('acc_alice');
    expect(await found('AL-1', { groupId: 'moba' })).toBe('CodeNotInGroup');
  });

  test('as a group code before a global one with the same text', async () => {
    expect(await found('BOB')).toBe('acc_bob');
    expect(await found('bob', { groupId: 'moba' })).toBe('acc_dora');
  });

  test('in the group of a one-group key, whatever groupId is sent', async () => {
    for (const groupId of ['main', 'nowhere']) {
      expect(await found('MOBA-AL', { groupId, key: keys().moba })).toBe('acc_alice');
      expect(await found('AL-1', { groupId, key: keys().moba })).toBe('CodeNotInGroup');
    }
  });

  test('even if it is hidden, which only affects lists', async () => {
    await provisionGroup('main', 'members: [ { id: acc_shy, visible: false, codes: [ { code: SHY } ] } ]');
    expect(await found('SHY')).toBe('acc_shy');
  });

  test('even if the code is part of another path', async () => {
    await provisionGroup('main', 'members: [ { id: acc_word, codes: [ { code: Player }, { code: ID } ] } ]');
    expect([await found('player'), await found('id')]).toEqual(['acc_word', 'acc_word']);
  });
});

describe('a change of the program takes effect', () => {
  const change = (rest: string) => provisionGroup('main', `members: [ { id: acc_bob, ${rest} } ]`);

  test('at once in every process for a new code', async () => {
    for (const [index, at] of [service(), other, service()].entries()) {
      expect(await found(`NEW-${index}`, { at })).toBe('CodeNotInGroup');
      await change(`codes: [ { code: NEW-${index} } ]`);
      expect(await found(`NEW-${index}`, { at })).toBe('acc_bob');
    }
  });

  test('within five seconds in every process for a cached member', async () => {
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

  test('immediately after the process has detected it while recording', async () => {
    await record(purchase());
    expect((await lookUp('BOB')).body.playerId).toBe('p-2');
    await change('playerId: p-22');
    await record(purchase());
    expect((await lookUp('BOB')).body.playerId).toBe('p-22');
    await change('playerId: p-2');
  });
});

test('answers a cached lookup without the database', async () => {
  await record(purchase());
  await lookUp('ALICE');
  const client = await connect(service().testDatabase.connection);
  await client.query('begin');
  // Every read of these tables waits for this lock.
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
