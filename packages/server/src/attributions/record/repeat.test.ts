import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { purchase } from '../../../test/fixtures.ts';
import { type Answer, startService, type TestService } from '../../../test/test-service.ts';
import { transactionsPath, useTransactions } from '../../../test/transactions.ts';

const { service, keys, record, get, patch, countRows } = useTransactions();
let other: TestService;
beforeAll(async () => {
  other = await startService({ beside: service() });
});
afterAll(() => other.close());

const repeat = (json: unknown, at = service(), query = ''): Promise<Answer> =>
  at.call('POST', `${transactionsPath}${query}`, {
    key: keys().backend,
    headers: { 'idempotency-key': 'any' },
    json,
  });
const outcomeOf = ({ status, headers }: Answer) => [
  status,
  headers.get('x-idempotent-replay'),
  headers.get('x-conflict'),
];
const replayed = [200, 'true', null];

const full = () =>
  purchase({
    status: 'Test',
    total: 1_500,
    totalCurrency: 'EUR',
    platform: 'PC',
    playerId: 'buyer',
    playerName: 'Buyer',
    skuId: 'battle-pass',
    memberSharePercent: 12.5,
    metrics: {
      joinDate: '2024-01-01T00:00:00+02:00',
      conversion: { totalSpendToDate: { currency: 'USD', total: 12.5 } },
    },
  });

describe('a retry with the same content', () => {
  test.each([
    ['the header', (json: unknown) => repeat(json)],
    ['the query parameter', (json: unknown) => record(json, { query: '?repeat=return' })],
  ])('returns the saved rows with %s', async (_how, send) => {
    for (const sent of [purchase(), full()]) {
      const first = await send(sent);
      expect(outcomeOf(first)).toEqual([200, null, null]);
      const before = await countRows();
      const again = await send(sent);
      expect(outcomeOf(again)).toEqual(replayed);
      expect(again.text).toBe(first.text);
      expect(await countRows()).toBe(before);
    }
  });

  test('is rejected with 409 and a header that compares the content, without repeat=return', async () => {
    const sent = full();
    await record(sent);
    const again = await record(sent);
    expect([...outcomeOf(again), again.text]).toEqual([409, null, 'same-content', 'Conflict']);
    const changed = await record({ ...sent, subtotal: 1_000 });
    expect([...outcomeOf(changed), changed.text]).toEqual([409, null, 'different-content', 'Conflict']);
  });

  test('may write it differently: defaults, case of the code, time zone, major units', async () => {
    const sent = purchase({ subtotal: 999, transactionDate: '2024-05-01T12:00:00Z' });
    await record(sent);
    const defaults = { total: 999, totalCurrency: 'USD', status: 'Normal', code: 'alice', platform: null };
    expect(outcomeOf(await repeat({ ...sent, ...defaults }))).toEqual(replayed);
    expect(outcomeOf(await repeat({ ...sent, transactionDate: '2024-05-01T14:00:00.0004+02:00' }))).toEqual(
      replayed,
    );
    expect(outcomeOf(await repeat({ ...sent, subtotal: 9.99 }, service(), '?useLDCurrency=false'))).toEqual(
      replayed,
    );
  });

  test('returns a list in its order, including splits', async () => {
    const { transactionId } = purchase();
    const sent = [
      purchase({ transactionId, subtotal: 500 }),
      purchase(),
      purchase({ transactionId, subtotal: 499, code: 'BOB' }),
    ];
    const first = await record(sent);
    const again = await repeat(sent);
    expect([...outcomeOf(again), again.text]).toEqual([...replayed, first.text]);
    const [one, two, three] = sent;
    for (const changed of [
      [three, two, one],
      [one, two],
      [one, two, three, three],
      [...sent, purchase()],
    ])
      expect(outcomeOf(await repeat(changed))).toEqual([409, null, 'different-content']);
    expect(outcomeOf(await repeat([one, three]))).toEqual(replayed); // all rows of that purchase
  });

  test('is recognized after the status or buyer changed, and returns the current rows', async () => {
    const sent = full();
    await record(sent);
    await patch(sent.transactionId, { form: { action: 'Refund', playerId: 'another' } });
    const again = await repeat(sent);
    expect(outcomeOf(again)).toEqual(replayed);
    expect(again.body).toEqual((await get(sent.transactionId)).body[0]);
    expect(again.body.transaction).toMatchObject({ status: 'Refund', playerId: 'another' });
  });

  test('is recognized after the buyer was forgotten', async () => {
    const sent = full();
    await record(sent);
    const { db } = service().testDatabase.database;
    const { attribution_id } = await db
      .updateTable('attribution')
      .set({ player_id: null, player_name: null })
      .where('publisher_id', '=', 'aurora')
      .where('transaction_id', '=', sent.transactionId)
      .returning('attribution_id')
      .executeTakeFirstOrThrow();
    expect(outcomeOf(await repeat(sent))).toEqual([409, null, 'different-content']);
    await db
      .insertInto('buyer_forgetting')
      .values({ publisher_id: 'aurora', forgotten_before: attribution_id })
      .execute();
    expect(outcomeOf(await repeat(sent))).toEqual(replayed);
    await db.deleteFrom('buyer_forgetting').execute();
  });
});

test.each([
  ['subtotal', { subtotal: 1_000 }],
  ['currency', { currency: 'EUR' }],
  ['code', { code: 'BOB' }],
  ['description', { description: 'other' }],
  ['status', { status: 'Normal' }],
  ['total', { total: 1_501 }],
  ['totalCurrency', { totalCurrency: 'USD' }],
  ['transactionDate', { transactionDate: '2024-05-01T12:00:01Z' }],
  ['platform', { platform: 'VR' }],
  ['playerId', { playerId: 'x' }],
  ['playerName', { playerName: null }],
  ['skuId', { skuId: null }],
  ['memberSharePercent', { memberSharePercent: 13 }],
  ['metrics', { metrics: { joinDate: '2024-01-01T00:00:00Z' } }],
])('another %s is different content and returns 409', async (_what, changes) => {
  const sent = full();
  await record(sent);
  const answer = await repeat({ ...sent, ...changes });
  expect([...outcomeOf(answer), answer.text]).toEqual([409, null, 'different-content', 'Conflict']);
});

test('the same purchase in another group is different content', async () => {
  const sent = purchase({ code: 'BOB' });
  await record(sent);
  expect(outcomeOf(await repeat(sent, service(), '?groupId=moba'))).toEqual([409, null, 'different-content']);
});

test('of 40 simultaneous requests in two processes, one records and all get its rows', async () => {
  const sent = [purchase(), purchase()];
  const before = await countRows();
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) => repeat(sent, index % 2 === 0 ? service() : other)),
  );
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(answers.filter(({ headers }) => headers.get('x-idempotent-replay') === null)).toHaveLength(1);
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  expect(await countRows()).toBe(before + 2);
});
