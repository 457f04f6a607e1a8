import { beforeAll, describe, expect, test } from 'vitest';
import { createPayout } from '../src/settlement/payouts/create/create-payout.ts';
import { previewPayout } from '../src/settlement/payouts/create/preview-payout.ts';
import { purchase } from './fixtures.ts';
import { operations, settleSet, useMoney } from './money.ts';
import { testActor } from './test-actor.ts';
import type { Answer } from './test-service.ts';
import { idsOf } from './transactions.ts';
import { makeTwin } from './twin-publisher.ts';

const { service, keys, record, get, list, patch, countRows, db, settle, expectSound } = useMoney();

beforeAll(async () => {
  await record(purchase({ transactionId: 'theirs', code: 'RIVAL' }), { key: keys().rival });
  await record(purchase({ transactionId: 'ours' }));
});

/** Returns everything that a client can see in a response, except values that always differ. */
const seen = ({ status, headers, text }: Answer): unknown => [
  status,
  [...headers].filter(([name]) => name !== 'date' && name !== 'x-request-id'),
  text,
];

describe("the response for another publisher's data equals that for missing data, byte for byte", () => {
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

describe('names used by two publishers stay separate', () => {
  test('each has a purchase with the same transactionId', async () => {
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

  test('the same groupId and playerId list only their own rows', async () => {
    for (const query of ['groupId=main', 'playerId=p-1', '']) {
      expect(idsOf(await list(query))).toContain('ours');
      expect(idsOf(await list(query))).not.toContain('theirs');
      const theirs = idsOf(await list(query, { key: keys().rival }));
      expect(theirs).toContain('theirs');
      expect(theirs).not.toContain('ours');
    }
  });

  test('a key of one group lists only that group', async () => {
    expect((await list('groupId=main', { key: keys().moba })).body).toEqual([]);
    expect((await list('memberId=acc_bob', { key: keys().moba })).body.code).toBe('MemberNotFound');
  });
});

describe('a publisher that shares every id with another publisher', () => {
  const longAgo = '2024-05-01T12:00:00.000Z';
  /** Returns numbered pages, counts and a purchase, covering every kind of listing. */
  const everything = async (key: string): Promise<unknown[]> => {
    const answers = [await get('before', { key }), await get('waiting', { key })];
    for (const filter of [
      '',
      'status=normal',
      'status=refund,fraud,test',
      'memberId=acc_bob',
      'code=BOB',
      'code=bob&codeScope=code',
      'playerId=p-2&status=normal',
      `startDate=${longAgo}`,
      'endDate=2024-05-01T12:30:00.000Z&sort=transactionDate:asc',
    ])
      for (const page of [1, 2]) answers.push(await list(`${filter}&page=${page}&pageSize=2`, { key }));
    return answers.map(({ status, headers, text }) => [status, headers.get('x-total-count'), text]);
  };
  const whole = (publisherId: string) => ({ publisherId, groupId: 'main', currency: null, asOf: null });
  const due = async (publisherId: string) =>
    (await previewPayout(db(), whole(publisherId))).payables.map(({ memberId, rowCount, amountMinor }) => [
      memberId,
      rowCount,
      amountMinor,
    ]);
  const sold = (transactionId: string, changes = {}) =>
    purchase({ transactionId, code: 'BOB', transactionDate: longAgo, ...changes });
  let twin: string;

  beforeAll(async () => {
    await record([sold('before'), sold('before', { subtotal: 7 }), sold('refunded'), sold('fraud')]);
    await record(sold('test', { status: 'Test' }));
    await settle();
    await patch('refunded', { form: { action: 'Refund' } });
    await record([sold('waiting'), sold('waiting too', { transactionDate: '2024-05-01T12:59:59.999Z' })]);
    twin = await makeTwin(service().testDatabase, 'aurora', 'twin');
  });

  test('is shown the same data at first, and none of the other’s changes', async () => {
    const ours = keys().backend;
    const before = await everything(ours);
    expect(await everything(twin)).toEqual(before);
    const dueBefore = await due('aurora');
    expect(await due('twin')).toEqual(dueBefore);

    // Each publisher has its own queue entries, too.
    expect(await settleSet(db(), 'twin')).toBe(2);
    await patch('before', { form: { action: 'Fraud' } }, { key: twin });
    await patch('test', { form: { action: 'Chargeback' } }, { key: twin });
    await record([sold('new'), sold('new test', { status: 'Test' })], { key: twin });
    expect(await everything(ours)).toEqual(before);
    await settleSet(db(), 'twin');
    const [payout] = (await createPayout(db(), testActor, whole('twin'))).payouts;
    await operations.markPayoutPaid(db(), testActor, {
      publisherId: 'twin',
      payoutId: payout?.batchId ?? '',
    });
    expect(await everything(ours)).toEqual(before);
    expect([await due('aurora'), await due('twin')]).toEqual([dueBefore, []]);
    await expectSound();

    const theirs = await everything(twin);
    expect(theirs).not.toEqual(before);
    expect(await settleSet(db(), 'aurora')).toBe(2);
    await patch('waiting', { form: { action: 'Refund' } });
    expect(await everything(twin)).toEqual(theirs);
    expect(await everything(ours)).not.toEqual(before);
    await expectSound();
  });

  test('is not shown a member credited only by the other', async () => {
    await record(purchase({ transactionId: 'of ALICE', code: 'AL-1' }), { key: twin });
    await settleSet(db(), 'twin');
    expect(idsOf(await list('code=AL-1&codeScope=code&page=1', { key: twin }))).toEqual(['of ALICE']);
    const ours = await list('code=AL-1&codeScope=code&page=1');
    expect([idsOf(ours), ours.headers.get('x-total-count')]).toEqual([[], '0']);
  });
});
