import { beforeAll, describe, expect, test } from 'vitest';
import { purchase } from '../../test/fixtures.ts';
import type { Answer } from '../../test/test-service.ts';
import { idsOf, useTransactions } from '../../test/transactions.ts';

const { keys, record, get, list, patch, countRows } = useTransactions();

beforeAll(async () => {
  await record(purchase({ transactionId: 'theirs', code: 'RIVAL' }), { key: keys().rival });
  await record(purchase({ transactionId: 'ours' }));
});

/** All that a client can see of an answer, save for what differs between any two. */
const seen = ({ status, headers, text }: Answer): unknown => [
  status,
  [...headers].filter(([name]) => name !== 'date' && name !== 'x-request-id'),
  text,
];

describe("another publisher's data is answered byte for byte like what does not exist", () => {
  test('a transactionId, on get', async () => {
    expect(seen(await get('theirs'))).toEqual(seen(await get('nowhere')));
    expect((await get('theirs')).status).toBe(404);
  });

  test.each([{ action: 'Refund' }, { playerId: 'p' }])('a transactionId, on update: %j', async (form) => {
    expect(seen(await patch('theirs', { form }))).toEqual(seen(await patch('nowhere', { form })));
    const [row] = (await get('theirs', { key: keys().rival })).body;
    expect(row.transaction.status).toBe('Normal');
    expect(row.transaction).not.toHaveProperty('playerId');
  });

  test('a group, on create and list', async () => {
    const before = await countRows();
    const theirs = await record(purchase(), { query: '?groupId=hidden' });
    expect(seen(theirs)).toEqual(seen(await record(purchase(), { query: '?groupId=nowhere' })));
    expect(theirs.status).toBe(400);
    expect(await countRows()).toBe(before);
    expect(seen(await list('groupId=hidden'))).toEqual(seen(await list('groupId=nowhere')));
    expect((await list('groupId=hidden')).status).toBe(400);
  });

  test("a creator's code, on create", async () => {
    const theirs = await record(purchase({ code: 'RIVAL' }));
    expect(seen(theirs)).toEqual(seen(await record(purchase({ code: 'LAVIR' }))));
    expect(theirs.status).toBe(400);
  });

  test.each([
    ['code=RIVAL', 'code=LAVIR'],
    ['code=RIVAL&codeScope=code', 'code=LAVIR&codeScope=code'],
    ['memberId=acc_rival', 'memberId=acc_lavir'],
    ['providerId=999', 'providerId=998'],
  ])('a member, on list: %s', async (theirs, nobody) => {
    expect(seen(await list(theirs))).toEqual(seen(await list(nobody)));
  });
});

describe('what two publishers share by name stays apart', () => {
  test('the same transactionId is a purchase of each', async () => {
    const { transactionId } = purchase();
    expect((await record(purchase({ transactionId, subtotal: 1 }))).status).toBe(200);
    expect(
      (await record(purchase({ transactionId, subtotal: 2, code: 'RIVAL' }), { key: keys().rival })).status,
    ).toBe(200);
    const [ours] = (await get(transactionId)).body;
    const [theirs] = (await get(transactionId, { key: keys().rival })).body;
    expect([ours.transaction.subtotal, theirs.transaction.subtotal]).toEqual([1, 2]);
    await patch(transactionId, { form: { action: 'Fraud' } });
    expect((await get(transactionId, { key: keys().rival })).body).toEqual([theirs]);
  });

  test('the same groupId and playerId list the own rows only', async () => {
    for (const query of ['groupId=main', 'playerId=p-1', '']) {
      expect(idsOf(await list(query))).toContain('ours');
      expect(idsOf(await list(query))).not.toContain('theirs');
      const theirs = idsOf(await list(query, { key: keys().rival }));
      expect(theirs).toContain('theirs');
      expect(theirs).not.toContain('ours');
    }
  });

  test('a key of one group lists that group alone', async () => {
    expect((await list('groupId=main', { key: keys().moba })).body).toEqual([]);
    expect((await list('memberId=acc_bob', { key: keys().moba })).body.code).toBe('MemberNotFound');
  });
});
