import { afterEach, describe, expect, test } from 'vitest';
import { amount, longAgo, newPlayers, purchases, useBounties } from '../../../test/bounties.ts';
import { purchase } from '../../../test/fixtures.ts';

const at = useBounties();
const { define, earn, record, patch, settle, settleAndCheck, standing, group } = at;
afterEach(() => at.expectSound());

const many = (count: number) => [purchases(count)];
const refund = async (transactionId: string) =>
  expect((await patch(transactionId, { form: { action: 'Refund' } })).status).toBe(200);
const split = async (rows: Record<string, unknown>[]) => {
  const { transactionId } = purchase();
  const sent = rows.map((row) => purchase({ transactionId, code: 'M-A', transactionDate: longAgo, ...row }));
  const { status, body } = await record(sent, { query: `?groupId=${group()}` });
  expect(status).toBe(200);
  return { transactionId, ids: body.map((each: { transaction: { id: string } }) => each.transaction.id) };
};

describe('a purchase', () => {
  test('counts once it is posted, for the credited member and in its group', async () => {
    const id = await define({ objectives: many(3) });
    await earn(group(), 'A', 10);
    expect(await standing(id)).toBe('not begun');
    await settle();
    expect(await standing(id)).toBe('0/1');
    expect(await standing(id, 'B')).toBe('not begun');
    await record(purchase({ code: 'ALICE', transactionDate: longAgo }));
    await earn(group(), 'B', 10);
    await settle();
    expect([await standing(id), await standing(id, 'B')]).toEqual(['0/1', '0/1']);
  });

  test('counts once with the sum of its rows, even if several rows credit the member', async () => {
    const id = await define({ objectives: [purchases(5), amount(1_000)] });
    await split([
      { subtotal: 10 },
      { subtotal: 20 },
      { code: 'M-B', subtotal: 40 },
      { subtotal: 80, currency: 'JPY' },
    ]);
    await settle();
    expect([await standing(id), await standing(id, 'B')]).toEqual(['0/1,30', '0/1,40']);
  });

  test('counts by its date, from the start of the window to its exclusive end', async () => {
    const id = await define({
      objectives: many(100),
      startsAt: '2024-05-01T00:00:00Z',
      endsAt: '2024-06-01T00:00:00Z',
    });
    for (const [transactionDate, counted] of [
      ['2024-04-30T23:59:59.999Z', 'not begun'],
      ['2024-05-01T00:00:00.000Z', '0/1'],
      ['2024-05-31T23:59:59.999Z', '0/2'],
      ['2024-06-01T00:00:00.000Z', '0/2'],
      ['2024-05-01T01:59:59.999+02:00', '0/2'],
    ] as const) {
      await earn(group(), 'A', 10, { transactionDate });
      await settle();
      expect(await standing(id), transactionDate).toBe(counted);
    }
  });

  test('counts for an objective with SKUs or a currency only if it matches', async () => {
    const skus = [{ id: 'sword' }, { id: 'shield', name: 'Shield' }];
    const id = await define({
      objectives: [
        purchases(9, { skus }),
        purchases(9, { currency: 'EUR' }),
        amount(9_000, 'EUR', { skus }),
        purchases(9),
      ],
    });
    await earn(group(), 'A', 1);
    await earn(group(), 'A', 2, { skuId: 'sword' });
    await earn(group(), 'A', 4, { skuId: 'shield', currency: 'EUR' });
    await earn(group(), 'A', 8, { skuId: 'Sword', currency: 'EUR' });
    await settle();
    expect(await standing(id)).toBe('0/2,2,4,4');
  });

  test('never counts if it is a Test row or was reversed before posting', async () => {
    const id = await define({ objectives: [purchases(9), newPlayers(9)] });
    await earn(group(), 'A', 10, { status: 'Test', playerId: 'tester' });
    const { transactionId } = await earn(group(), 'A', 10);
    await refund(transactionId);
    await settle();
    expect(await standing(id)).toBe('not begun');
    await earn(group(), 'A', 10, { playerId: 'tester' });
    await settle();
    expect(await standing(id)).toBe('0/1,1');
  });

  test('counts exactly with amounts beyond 2^53', async () => {
    const huge = Number.MAX_SAFE_INTEGER;
    const id = await define({ limit: null, objectives: [amount(huge)] });
    await split([{ subtotal: huge }, { subtotal: huge }, { subtotal: huge - 1 }]);
    expect(await settleAndCheck()).toBe(2);
    expect(await standing(id)).toBe(`2/${huge - 1}`);
    await earn(group(), 'A', 1);
    expect(await settleAndCheck()).toBe(1);
    expect(await standing(id)).toBe('3/0');
  });
});

describe('a reversed purchase', () => {
  test('stops counting while the bounty is open, row by row', async () => {
    const id = await define({ objectives: [purchases(9), amount(9_000)] });
    const first = await earn(group(), 'A', 100);
    const { transactionId } = await split([{ subtotal: 10 }, { subtotal: 20 }, { code: 'M-B', subtotal: 5 }]);
    await settle();
    expect([await standing(id), await standing(id, 'B')]).toEqual(['0/2,130', '0/1,5']);
    await refund(first.transactionId);
    expect(await standing(id)).toBe('0/1,30');
    await refund(first.transactionId);
    await patch(first.transactionId, { form: { action: 'Fraud' } });
    expect(await standing(id)).toBe('0/1,30');
    await refund(transactionId);
    expect([await standing(id), await standing(id, 'B')]).toEqual(['0/0,0', '0/0,0']);
  });

  test('still counts once, with a lower amount, if only one of its rows was reversed', async () => {
    const id = await define({ objectives: [purchases(9), amount(9_000)] });
    const { ids } = await split([{ subtotal: 10 }, { subtotal: 20 }]);
    await settle();
    const [batch] = await at.create(group());
    await at.markPaid(batch?.batchId ?? '');
    await at.clawBack(ids[0], 'Chargeback');
    expect(await standing(id)).toBe('0/1,20');
    await at.clawBack(ids[1], 'Chargeback');
    expect(await standing(id)).toBe('0/0,0');
  });

  test('stays counted if it was reversed after the end', async () => {
    const id = await define({ objectives: many(9), endsAt: '2024-06-01T00:00:00Z' });
    const first = await earn(group(), 'A', 1);
    const second = await earn(group(), 'A', 1);
    await settle();
    at.setNow('2024-05-31T23:59:59.999Z');
    await refund(first.transactionId);
    expect(await standing(id)).toBe('0/1');
    at.setNow('2024-06-01T00:00:00.000Z');
    await refund(second.transactionId);
    expect(await standing(id)).toBe('0/1');
  });
});

describe('a new player', () => {
  test('is a player with a first purchase at the publisher, in any group', async () => {
    const id = await define({ objectives: [newPlayers(9)] });
    const buy = async (playerId: string | undefined, groupId = group()) => {
      const { transactionId } = await earn(groupId, 'A', 1, playerId === undefined ? {} : { playerId });
      await settle();
      return transactionId;
    };
    const other = `${group()}x`;
    await at.makeGroup(other);
    const [eve, kim] = [`eve-${group()}`, `kim-${group()}`];
    await buy(eve, other);
    await buy(eve);
    expect(await standing(id)).toBe('not begun');
    const first = await buy(kim);
    await buy(kim);
    await buy(undefined);
    await buy('');
    expect(await standing(id)).toBe('0/1');
    await refund(first);
    await buy(kim);
    expect(await standing(id)).toBe('0/0');
  });

  test('counts for every member credited by the first purchase, and for its SKUs', async () => {
    const id = await define({ objectives: [newPlayers(9, { skus: [{ id: 'sword' }] })] });
    const playerId = `pat-${group()}`;
    await split([
      { playerId, skuId: 'sword' },
      { playerId, skuId: 'sword', code: 'M-B' },
    ]);
    await split([{ playerId: `${playerId}-2` }]);
    await settle();
    expect([await standing(id), await standing(id, 'B')]).toEqual(['0/1', '0/1']);
  });

  test('counts once for many simultaneous first purchases, posted by many workers', async () => {
    const id = await define({ objectives: [newPlayers(100)] });
    const players = Array.from({ length: 10 }, (_, index) => `racer-${group()}-${index}`);
    await Promise.all(
      Array.from({ length: 80 }, (_, index) =>
        earn(group(), index % 2 === 0 ? 'A' : 'B', 1, { playerId: players[index % 10] }),
      ),
    );
    await Promise.all(Array.from({ length: 6 }, settle));
    await settle();
    const [a = 0, b = 0] = (await Promise.all([standing(id), standing(id, 'B')])).map((text) =>
      Number(text.split('/')[1] ?? 0),
    );
    expect(a + b).toBe(10);
  });

  test('is not a player who bought before the window of a later objective, but counts for an earlier window', async () => {
    const [old, young] = [`old-${group()}`, `young-${group()}`];
    await earn(group(), 'A', 1, { playerId: old, transactionDate: '2020-01-01T00:00:00Z' });
    await earn(group(), 'A', 1, { playerId: old });
    await earn(group(), 'A', 1, { playerId: young });
    await settle();
    const id = await define({ objectives: [newPlayers(9)] });
    expect(await standing(id)).toBe('0/1');
  });
});
