import { describe, expect, test } from 'vitest';
import { purchase } from '../../../test/fixtures.ts';
import { idsOf, transactionsPath, useTransactions } from '../../../test/transactions.ts';

const { service, keys, record, get, list, patch } = useTransactions();

const recordIn = async (groupId: string, changes: Record<string, unknown>): Promise<string> => {
  const { body } = await record(purchase(changes), { query: `?groupId=${groupId}` });
  return body.transaction.transactionId;
};
const metaFields = ['createdAt', 'updatedAt', 'groupId', 'memberId'];

describe('include=meta', () => {
  test('adds creation time, time of the last change, group and member to get and list', async () => {
    const before = new Date().toISOString();
    const id = await recordIn('moba', { code: 'DORA' });
    const { body } = await get(id, { query: '?include=meta' });
    const { transaction } = body[0];
    expect(transaction).toMatchObject({ groupId: 'moba', memberId: 'acc_dora' });
    expect(transaction.createdAt >= before).toBe(true);
    expect(transaction.updatedAt).toBe(transaction.createdAt);
    expect((await list('groupId=moba&include=meta')).body).toEqual(body);
    expect((await list('groupId=moba&include=meta&page=1')).body).toEqual(body);

    await patch(id, { form: { playerId: 'another' } });
    const [changed] = (await get(id, { query: '?include=meta' })).body;
    expect(changed.transaction.createdAt).toBe(transaction.createdAt);
    expect(changed.transaction.updatedAt > transaction.updatedAt).toBe(true);
  });

  test('is optional; without it, rows have only the contract’s fields', async () => {
    const { body } = await record(purchase());
    const id = body.transaction.transactionId;
    for (const { body } of [await get(id), await list(`transactionId=${id}`)])
      for (const name of metaFields) expect(body[0].transaction).not.toHaveProperty(name);
    for (const name of metaFields) expect(body.transaction).not.toHaveProperty(name);
    expect((await list('include=all')).body).toMatchObject({ code: 'InvalidInput' });
  });
});

describe('transactionId', () => {
  test('finds several purchases with their splits in list order, whether the parameter is repeated or comma-separated', async () => {
    const at = (day: number) => ({ transactionDate: `2020-01-0${day}T00:00:00Z` });
    const [one, two] = [await recordIn('main', at(1)), await recordIn('main', at(2))];
    const split = purchase({ ...at(3) });
    await record([split, { ...split, code: 'BOB' }]);
    const three = split.transactionId;
    await recordIn('main', {});
    for (const query of [
      `transactionId=${one}&transactionId=${two}&transactionId=${three}`,
      `transactionId=${one},${two},${three}`,
    ]) {
      expect(idsOf(await list(query))).toEqual([three, three, two, one]);
      expect(idsOf(await list(`${query}&sort=transactionDate:asc&pageSize=2`))).toEqual([one, two]);
      expect(idsOf(await list(`${query}&code=BOB`))).toEqual([three]);
      expect(idsOf(await list(`${query}&code=BOB&codeScope=code&origin=api`))).toEqual([three]);
      const numbered = await list(`${query}&page=2&pageSize=3`);
      expect([idsOf(numbered), numbered.headers.get('x-total-count')]).toEqual([[one], '4']);
      const first = await list(`${query}&pageSize=3`);
      const cursor = first.headers.get('x-next-cursor');
      expect(idsOf(await list(`${query}&pageSize=3&cursor=${cursor}`))).toEqual([one]);
    }
    expect(idsOf(await list(`transactionId=${one}&groupId=moba`))).toEqual([]);
    expect(idsOf(await list('transactionId=nothing'))).toEqual([]);
    expect(idsOf(await list(`transactionId=${one}`, { key: keys().rival }))).toEqual([]);
  });

  test('finds an id that contains a comma', async () => {
    const id = await recordIn('main', { transactionId: 'a,b' });
    expect(idsOf(await list(`transactionId=${encodeURIComponent(id)}`))).toEqual([id]);
  });

  test('accepts 100 values and rejects 101', async () => {
    const ids = (count: number) => Array.from({ length: count }, (_, index) => `t${index}`).join(',');
    expect((await list(`transactionId=${ids(100)}`)).status).toBe(200);
    const { status, body } = await list(`transactionId=${ids(101)}`);
    expect([status, body]).toEqual([
      400,
      { code: 'InvalidInput', message: 'transactionId must have at most 100 entries' },
    ]);
  });
});

describe('groupId=*', () => {
  test('lists all groups together, by cursor and by page number, with every filter', async () => {
    const code = 'ALL-1';
    const at = (day: number) => ({ transactionDate: `2021-01-0${day}T00:00:00Z`, description: code });
    const ids = [
      await recordIn('main', at(1)),
      await recordIn('moba', { ...at(2), code: 'DORA' }),
      await recordIn('main', { ...at(3), code: 'BOB' }),
      await recordIn('moba', { ...at(4), code: 'MOBA-AL' }),
    ].reverse();
    const within = 'groupId=*&startDate=2021-01-01T00:00:00Z&endDate=2021-01-31T00:00:00Z';
    const first = await list(`${within}&pageSize=3`);
    expect(idsOf(first)).toEqual(ids.slice(0, 3));
    const cursor = first.headers.get('x-next-cursor');
    expect(idsOf(await list(`${within}&pageSize=3&cursor=${cursor}`))).toEqual(ids.slice(3));
    const numbered = await list(`${within}&page=2&pageSize=3`);
    expect([idsOf(numbered), numbered.headers.get('x-total-count')]).toEqual([ids.slice(3), '4']);
    expect(idsOf(await list(`${within}&memberId=acc_alice`))).toEqual([ids[0], ids[3]]);
    expect(idsOf(await list(`${within}&code=BOB&codeScope=code`))).toEqual([ids[1]]);
    expect((await list(`${within}&memberId=acc_none`)).body).toEqual({
      code: 'MemberNotFound',
      message: 'No member of any creator group has this memberId.',
    });
  });

  test("means the key's own group for a scoped key, and is rejected on create", async () => {
    expect((await list('groupId=*', { key: keys().moba })).text).toBe(
      (await list('groupId=moba', { key: keys().moba })).text,
    );
    expect((await record(purchase(), { query: '?groupId=*' })).status).toBe(400);
  });
});

describe('list parameters', () => {
  test('return the same rows whether repeated, as documented, or separated by commas', async () => {
    const refunded = await recordIn('main', { description: 'refunded' });
    await patch(refunded, { form: { action: 'Refund' } });
    await recordIn('main', { status: 'Test' });
    for (const [name, ...values] of [
      ['status', 'refund', 'Test'],
      ['origin', 'api', 'webshopCode'],
      ['transactionId', refunded, 'none'],
    ]) {
      const repeated = await list(values.map((value) => `${name}=${value}`).join('&'));
      expect([repeated.status, idsOf(repeated).includes(refunded)]).toEqual([200, true]);
      expect((await list(`${name}=${values.join(',')}`)).text).toBe(repeated.text);
    }
    const { body } = await service().call('GET', '/openapi.json');
    const { parameters } = body.paths[transactionsPath].get;
    const lists = parameters.filter(({ schema }: { schema: { type: string } }) => schema.type === 'array');
    expect(lists.map(({ name, style, explode }: Record<string, unknown>) => [name, style, explode])).toEqual([
      ['transactionId', 'form', true],
      ['origin', 'form', true],
      ['status', 'form', true],
    ]);
    for (const { description } of lists)
      expect(description).toMatch(/as a repeated parameter or separated by commas/);
  });
});
