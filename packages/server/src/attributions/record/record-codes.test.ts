import { describe, expect, test } from 'vitest';
import { auroraProgram, purchase } from '../../../test/fixtures.ts';
import { useTransactions } from '../../../test/transactions.ts';

const { service, keys, record, list, get } = useTransactions();

/** Records a purchase with a code. Returns the member's player id and the stored code, or null if the code is rejected. */
async function credited(
  code: string,
  sent: { query?: string; key?: string } = {},
): Promise<[string, string] | null> {
  const { status, body } = await record(purchase({ code }), sent);
  if (status === 200) return [body.transaction.memberPlayerId, body.transaction.code];
  expect(status).toBe(400);
  expect(body).toEqual({ message: 'code is not the code of an approved member of the creator group.' });
  return null;
}

describe('a code credits its member', () => {
  test.each(['ALICE', 'alice', 'aLiCe'])('in any case: %s', async (code) => {
    expect(await credited(code)).toEqual(['p-1', 'ALICE']);
  });

  test('in every group of which its creator is a member', async () => {
    expect(await credited('ALICE', { query: '?groupId=moba' })).toEqual(['p-1', 'ALICE']);
  });

  test('only in its own group, if it is a group code', async () => {
    expect(await credited('al-1')).toEqual(['p-1', 'AL-1']);
    expect(await credited('AL-1', { query: '?groupId=moba' })).toBeNull();
    expect(await credited('MOBA-AL', { query: '?groupId=moba' })).toEqual(['p-1', 'MOBA-AL']);
    expect(await credited('MOBA-AL')).toBeNull();
  });

  test('before a global code with the same text, if it is a group code', async () => {
    expect(await credited('BOB')).toEqual(['p-2', 'BOB']);
    expect(await credited('bob', { query: '?groupId=moba' })).toEqual(['p-9', 'BOB']);
    await service().provision(`
publisher: { id: aurora }
groups:
  - { id: moba, members: [ { id: acc_alice, codes: [ { code: DORA, group: moba } ] } ] }
`);
    expect(await credited('DORA', { query: '?groupId=moba' })).toEqual(['p-1', 'DORA']);
    await service().provision(`
publisher: { id: aurora }
groups:
  - { id: moba, members: [ { id: acc_alice, codes: [ { code: DORA, group: moba, approved: false } ] } ] }
`);
    expect(await credited('DORA', { query: '?groupId=moba' })).toEqual(['p-9', 'DORA']);
  });
});

describe('rejects a code', () => {
  test.each([
    ['that is unapproved', 'OLD'],
    ['of a pending member', 'PENDING'],
    ['of a removed member', 'REMOVED'],
    ['of a creator who is not in the group', 'DORA'],
    ["of another publisher's creator", 'RIVAL'],
    ['that no creator has', 'UNKNOWN'],
    ['that is empty', ''],
    ['with a leading space', ' ALICE'],
    ['with a wildcard', 'ALIC_'],
    ['with a wildcard for all', '%'],
    ['with a letter that only looks alike', 'АLICE'],
    ['with a quote', '"ALICE"'],
    ['with an array', '{ALICE}'],
    ['with the text NULL', 'NULL'],
    ['with a backslash', 'ALICE\\'],
    ['of 255 characters', 'x'.repeat(255)],
  ])('%s', async (_what, code) => {
    expect(await credited(code)).toBeNull();
  });
});

describe('codes that look like SQL', () => {
  test.each(['NULL', 'null', 'TRUE', '--'])('%s is a code like any other', async (code) => {
    await useCode(code);
    expect(await credited(code.toLowerCase())).toEqual(['p-2', code]);
  });
});

test('folds the case of ASCII letters only: a Kelvin sign is not a K', async () => {
  await useCode('KIM');
  expect(await credited('kim')).toEqual(['p-2', 'KIM']);
  expect(await credited('\u212aIM')).toBeNull();
  expect((await list('codeScope=code&code=%E2%84%AAIM')).body).toEqual([]);
});

async function useCode(code: string): Promise<void> {
  await service().provision(`
publisher: { id: aurora }
groups: [ { id: main, members: [ { id: acc_bob, codes: [ { code: "${code}", group: main } ] } ] } ]
`);
}

describe('the group of a purchase', () => {
  const groupOf = async (transactionId: string): Promise<string> => {
    for (const group of ['main', 'moba']) {
      const { body } = await list(`groupId=${group}`);
      if (
        body.some(
          (each: { transaction: { transactionId: string } }) =>
            each.transaction.transactionId === transactionId,
        )
      ) {
        return group;
      }
    }
    throw new Error(`${transactionId} is in no group`);
  };

  test.each([
    ['the default group without a groupId', '', 'main'],
    ['the default group for an empty groupId', '?groupId=', 'main'],
    ['the group of the groupId', '?groupId=moba', 'moba'],
  ])('is %s', async (_what, query, group) => {
    const sent = purchase();
    expect((await record(sent, { query })).status).toBe(200);
    expect(await groupOf(sent.transactionId)).toBe(group);
  });

  test.each(['', '?groupId=main', '?groupId=nowhere', '?groupId=moba', '?groupId=%00'])(
    "is a scoped key's own group, whatever the groupId: %s",
    async (query) => {
      const sent = purchase({ code: 'DORA' });
      expect((await record(sent, { query, key: keys().moba })).status).toBe(200);
      expect(await groupOf(sent.transactionId)).toBe('moba');
      expect(await credited('AL-1', { query, key: keys().moba })).toBeNull();
      const listed = await list(query.slice(1), { key: keys().moba });
      expect(listed.text).toBe((await list('groupId=moba')).text);
    },
  );

  test('has its own disabled currencies', async () => {
    expect((await record(purchase({ currency: 'BTC' }))).status).toBe(400);
    expect((await record(purchase({ currency: 'BTC' }), { query: '?groupId=moba' })).status).toBe(200);
  });

  test("doesn't matter for get, which finds rows in all groups, regardless of the key or groupId", async () => {
    const sent = purchase();
    const created = await record(sent);
    for (const query of ['?groupId=moba', '?groupId=nowhere', '?groupId=']) {
      expect((await get(sent.transactionId, { query })).text).toBe(`[${created.text}]`);
      expect((await get(sent.transactionId, { query, key: keys().moba })).text).toBe(`[${created.text}]`);
    }
  });
});

test('applying the program file again changes nothing', async () => {
  const before = (await list()).text;
  await service().provision(auroraProgram);
  expect((await list()).text).toBe(before);
});
