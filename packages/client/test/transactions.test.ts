import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  AlreadyRecorded,
  CodeNotInGroup,
  CurrencyDisabled,
  InvalidGroup,
  InvalidInput,
  money,
  NotFound,
  type Purchase,
  type Transaction,
} from '../src/index.ts';
import { purchaseOf } from './calls.ts';
import { type Target, useTargets } from './targets.ts';

describe.each(useTargets())('%s', (_, start) => {
  let target: Target;
  beforeAll(async () => {
    target = await start();
  });
  afterAll(() => target.close());
  const client = () => target.client();

  test('records a purchase, refunds a part of it, and lists it', async () => {
    const { transactions } = client();
    const { rows, replayed } = await transactions.record(purchaseOf('walk/1', { playerId: 'player-7' }));
    expect(replayed).toBe(false);
    expect(rows).toMatchObject([{ code: 'ALICE', memberPlayerId: 'p-1', subtotal: 999, currency: 'USD' }]);
    const refund = await transactions.refund('walk/1', { refundId: 're_1', amount: money('2.00', 'USD') });
    expect(refund).toMatchObject({ amount: 200, currency: 'USD', reason: 'Refund' });
    const listed: Transaction[] = [];
    for await (const row of transactions.list({ transactionId: ['walk/1'], include: 'meta' }))
      listed.push(row);
    expect(listed).toMatchObject([{ transactionId: 'walk/1', refundedAmount: 200 }]);
  });

  test('returns what was saved when a purchase is recorded again', async () => {
    const { transactions } = client();
    const { rows } = await transactions.record(purchaseOf('again'));
    expect(await transactions.record(purchaseOf('again'))).toMatchObject({
      replayed: true,
      rows: [{ id: rows[0]?.id }],
    });
    const error = await transactions
      .record(purchaseOf('again', { code: 'BOB' }))
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AlreadyRecorded);
    expect(error).toMatchObject({ status: 409, rows: [{ id: rows[0]?.id, code: 'ALICE' }] });
  });

  test('saves all purchases of a list or none, and returns all saved rows of a conflict', async () => {
    const { transactions } = client();
    const half = { subtotal: money('5', 'USD') };
    const split = [purchaseOf('split', half), purchaseOf('split', { ...half, code: 'BOB' })];
    const { rows } = await transactions.record(split);
    expect(rows.map(({ code }) => code)).toEqual(['ALICE', 'BOB']);
    const error = await transactions
      .record([purchaseOf('split'), purchaseOf('new')])
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'AlreadyRecorded' });
    expect((error as AlreadyRecorded).rows.map(({ code }) => code).toSorted()).toEqual(['ALICE', 'BOB']);
    await expect(transactions.get('new')).rejects.toBeInstanceOf(NotFound);
  });

  test('names the rejections of recording, whose bodies have no code', async () => {
    const { transactions } = client();
    const thrown = (changes: Partial<Purchase>, groupId?: string) =>
      transactions.record(purchaseOf('refused', changes), groupId === undefined ? {} : { groupId });
    await expect(thrown({ code: 'NOBODY' })).rejects.toBeInstanceOf(CodeNotInGroup);
    await expect(thrown({ subtotal: money('0.1', 'BTC') })).rejects.toBeInstanceOf(CurrencyDisabled);
    await expect(thrown({}, 'missing')).rejects.toBeInstanceOf(InvalidGroup);
    await expect(thrown({ description: '\0' })).rejects.toBeInstanceOf(InvalidInput);
    const lists = [purchaseOf('refused'), purchaseOf('refused-2', { code: 'NOBODY' })];
    await expect(transactions.record(lists)).rejects.toBeInstanceOf(CodeNotInGroup);
  });

  test('refuses to refund in another currency, and refunds rows and what is left', async () => {
    const { transactions } = client();
    const split = [purchaseOf('two'), purchaseOf('two', { code: 'BOB' })];
    const { rows } = await transactions.record(split);
    const [first] = rows;
    await expect(
      transactions.refund('two', { refundId: 'r', amount: money('100', 'JPY') }),
    ).rejects.toBeInstanceOf(RangeError);
    expect(await transactions.refunds('two')).toEqual([]);
    await transactions.refund('two', {
      refundId: 'r1',
      rows: [{ id: first?.id ?? '', amount: money('1', 'USD') }],
    });
    const rest = await transactions.refund('two', {
      refundId: 'r2',
      reason: 'Fraud',
      occurredAt: new Date(),
    });
    expect(rest).toMatchObject({ amount: 2 * 999 - 100, reason: 'Fraud' });
    expect(await transactions.reinstate('two', 'r2', { reason: 'A mistake.' })).toMatchObject({
      refundId: 'r2',
    });
    expect(await transactions.refunds('two')).toMatchObject([{ refundId: 'r1' }, { refundId: 'r2' }]);
  });

  test('lists by cursor and by number, page by page', async () => {
    const { transactions } = client();
    const ids = ['l1', 'l2', 'l3'];
    await transactions.record(ids.map((id) => purchaseOf(id)));
    for (const filter of [{}, { page: 1 }]) {
      const list = transactions.list({ transactionId: ids, pageSize: 2, ...filter });
      const pages = await Array.fromAsync(list.pages());
      expect(pages.map(({ rows }) => rows.length)).toEqual([2, 1]);
      expect(pages.map(({ totalCount }) => totalCount)).toEqual('page' in filter ? [3, 3] : [null, null]);
      expect((await Array.fromAsync(list)).map((row) => row.transactionId).toSorted()).toEqual(ids);
    }
  });

  test('updates a purchase, and gives the response behind the data', async () => {
    const { transactions } = client();
    await transactions.record(purchaseOf('patched'));
    const { data, status, requestId } = await transactions
      .update('patched', { action: 'Chargeback', playerId: 'player-8' })
      .raw();
    expect(data).toMatchObject([{ status: 'Chargeback', playerId: 'player-8' }]);
    expect({ status, requestId }).toEqual({
      status: 200,
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    await expect(transactions.update('missing', { action: 'Refund' }).raw()).rejects.toMatchObject({
      code: 'NotFound',
      status: 404,
      operation: 'updateTransactions',
      tries: 1,
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      body: { code: 'NotFound', message: expect.any(String) },
    });
  });

  test('makes several refunds, of which one fails', async () => {
    const { transactions } = client();
    await transactions.record([purchaseOf('several'), purchaseOf('several 2')]);
    const amount = money('1', 'USD');
    const refunds = ['several', 'missing', 'several 2'].map((transactionId) => ({
      transactionId,
      refundId: 'r',
      amount,
    }));
    const inYen = { transactionId: 'several 2', refundId: 'y', amount: money('1', 'JPY') };
    await expect(transactions.refundAll([...refunds, inYen])).rejects.toBeInstanceOf(RangeError);
    expect(await transactions.refunds('several')).toEqual([]);
    for (let round = 0; round < 2; round += 1)
      expect(await transactions.refundAll(refunds)).toMatchObject([
        { transactionId: 'several', refundId: 'r', refund: { amount: 100 } },
        { transactionId: 'missing', error: { status: 404, code: 'NotFound' } },
        { transactionId: 'several 2', refund: { amount: 100 } },
      ]);
  });
});
