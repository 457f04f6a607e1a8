import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { type Asking, asRole } from '../../../../test/admin.ts';
import { expectSameAsRows, expectSameForMembers } from '../../../../test/expect-same-as-rows.ts';
import { useLinking } from '../../../../test/linking.ts';
import { Random } from '../../../../test/simulation/random.ts';
import { systemClock } from '../../../platform/clock.ts';
import { pinPlans } from '../../pin-plans.ts';
import type { PlannedPayable } from './payable.ts';
import type { PayoutScope } from './payout-scope.ts';
import { planPayout } from './plan-payout.ts';
import { readScope } from './read-scope.ts';
import { readSumsUntil } from './sums-of-days.ts';

const money = useLinking();
const { service, keys, makeGroup, earn, settle, create, createOrLess, patch, refund, query, db } = money;
afterEach(() => money.expectSound());

const dayMs = 86_400_000;
const holdDays = 30;
/** Start of the UTC day that is one hold period (as in `makeGroup`) before now. */
const borderMs = (): number => Math.floor((systemClock.now().getTime() - holdDays * dayMs) / dayMs) * dayMs;
const at = (ms: number) => ({ transactionDate: new Date(ms).toISOString() });

const scopeOf = async (groupId: string, asOf: Date | null = null): Promise<PayoutScope> =>
  (await planPayout(db(), { publisherId: 'aurora', groupId, currency: null, asOf })).scope;
const same = async (groupId: string, asOf: Date | null = null): Promise<PlannedPayable[]> =>
  expectSameForMembers(db(), await scopeOf(groupId, asOf));
const due = (payables: readonly PlannedPayable[]) =>
  payables.map(({ name, currency, amountMinor, rowCount }) => [name, currency, amountMinor, rowCount]);

describe('amounts due, read from sums of days', () => {
  test('include rows up to the end of the hold period, to the millisecond', async () => {
    await makeGroup('border');
    for (const [index, ms] of [-dayMs - 1, -dayMs, -1, 0, 1].entries())
      await earn('border', 'A', 10 ** index, at(borderMs() + ms));
    await earn('border', 'A', 700_000, at(borderMs() + dayMs));
    await settle();
    const { heldAfter } = await scopeOf('border');
    await earn('border', 'B', 1, at(heldAfter.getTime() - 1));
    await earn('border', 'B', 10, at(heldAfter.getTime() + 3_600_000));
    await settle();
    expect(due(await same('border'))).toEqual([
      ['A', 'USD', 11_111n, 5],
      ['B', 'USD', 1n, 1],
    ]);
  });

  test('leave out rows of the day of the mark that are already paid', async () => {
    await makeGroup('mark');
    const noon = borderMs() - 3 * dayMs + dayMs / 2;
    await earn('mark', 'A', 100, at(noon - 1));
    await settle();
    const [first] = await create('mark');
    await money.markPaid(first?.batchId ?? '');
    expect(due(await same('mark'))).toEqual([]);

    await earn('mark', 'A', 20, at(noon));
    await settle();
    expect(due(await same('mark')), 'the paid row is before the mark').toEqual([['A', 'USD', 20n, 1]]);
    await earn('mark', 'A', 3, at(noon - 2));
    await earn('mark', 'A', 5_000, { ...at(noon - dayMs), currency: 'EUR' });
    await settle();
    expect(due(await same('mark'))).toEqual([
      ['A', 'EUR', 5_000n, 1],
      ['A', 'USD', 23n, 2],
    ]);
    expect((await create('mark')).map(({ totalMinor }) => totalMinor)).toEqual([5_000n, 23n]);
  });

  test('include a row once that is before the mark and was reversed after the cutoff', async () => {
    await makeGroup('raised');
    const noon = borderMs() - 3 * dayMs + dayMs / 2;
    const { transactionId } = await earn('raised', 'A', 100, at(noon - 1));
    await earn('raised', 'A', 20, at(noon));
    await settle();
    const before = await scopeOf('raised');
    await patch(transactionId, { json: { action: 'Refund' } });
    // As an undone payout does.
    await sql`
      update member_balance b
      set unpaid_from = ${new Date(noon)}
      from membership m
      where m.publisher_id = 'aurora' and m.group_id = 'raised'
        and b.publisher_id = 'aurora' and b.membership_id = m.membership_id`.execute(db());
    expect(due(await expectSameAsRows(db(), before))).toEqual([['A', 'USD', 120n, 2]]);
    expect(due(await same('raised'))).toEqual([['A', 'USD', 20n, 1]]);
  });

  test('leave out rows that were unposted or posted after the cutoff, and include their recordings otherwise', async () => {
    await makeGroup('late');
    const old = at(borderMs() - 5 * dayMs);
    await earn('late', 'A', 100, old);
    await settle();
    await earn('late', 'A', 20, old);
    const before = await scopeOf('late');
    expect(due(await same('late')), 'unposted').toEqual([['A', 'USD', 100n, 1]]);
    await settle();
    expect(due(await expectSameAsRows(db(), before)), 'posted since').toEqual([['A', 'USD', 100n, 1]]);
    expect(due(await same('late', before.asOf)), 'posted since, planned again').toEqual([
      ['A', 'USD', 100n, 1],
    ]);

    // A recording that isn't posted makes all later ones recent.
    await earn('late', 'B', 7, old);
    const [waiting] = await query(sql<{ recording_id: string; row_count: number }>`
      delete from unposted where publisher_id = 'aurora' returning recording_id, row_count`);
    await earn('late', 'A', 3, old);
    await settle();
    await sql`
      insert into unposted (publisher_id, recording_id, row_count)
      values ('aurora', ${waiting?.recording_id}::uuid, ${waiting?.row_count})`.execute(db());
    const [payable] = await same('late');
    expect([payable?.amountMinor, payable?.recordingIds.length]).toEqual([123n, 1]);
    expect((await create('late')).map(({ totalMinor }) => totalMinor)).toEqual([123n]);
    await settle();
    expect(due(await same('late'))).toEqual([['B', 'USD', 7n, 1]]);
  });

  test('include the amounts of merged memberships, which belong to the member that they were merged into', async () => {
    const old = at(borderMs() - 5 * dayMs);
    await makeGroup('merged');
    const code = await money.generate('merged', 'p-merged');
    const between = 'acc_BETWEEN';
    await money.provisionGroup(
      'merged',
      `members: [ { id: ${between}, name: BETWEEN, codes: [ { code: BETWEEN, group: merged } ] } ]`,
    );
    const last = await money.makeMember('merged', 'LAST');
    await earn('merged', 'A', 1_000, old);
    await earn('merged', 'A', 20, { ...old, code });
    await earn('merged', 'A', 3, { ...old, code: 'BETWEEN' });
    await settle();
    const [first] = await query(sql<{ account_id: string }>`
      select account_id from membership where group_id = 'merged' and player_id = 'p-merged'`);
    const support = await asRole(service(), 'owner');
    const held = await support('POST', `/members/${first?.account_id}/holds`, { reason: 'dispute' });
    expect(held.status).toBe(200);
    const unmerged = await scopeOf('merged');
    await money.linked('merged', between, 'p-merged');
    expect(due(await same('merged')).sort()).toEqual([
      ['A', 'USD', 1_000n, 1],
      ['BETWEEN', 'USD', 23n, 2],
    ]);

    await earn('merged', 'A', 400, { ...old, code });
    await settle();
    const mergedOnce = await scopeOf('merged');
    await sql`update group_code set is_managed = true where group_id = 'merged'`.execute(db());
    await money.linked('merged', last, 'p-merged');
    const now = await same('merged');
    expect(due(now).sort()).toEqual([
      ['A', 'USD', 1_000n, 1],
      ['LAST', 'USD', 423n, 3],
    ]);
    const holds = (payables: readonly PlannedPayable[]) =>
      payables.map(({ memberHoldIds }) => memberHoldIds.length).sort();
    expect(holds(now)).toEqual([0, 1]);
    expect(holds(await expectSameForMembers(db(), mergedOnce))).toEqual([0, 1]);
    expect(await expectSameForMembers(db(), unmerged)).toHaveLength(3);
  });

  test('include rows whose hold period ends by a cutoff in the future', async () => {
    await makeGroup('future');
    for (const [index, days] of [-5, 0, 3, 9, 11].entries())
      await earn('future', 'A', 10 ** index, at(borderMs() + days * dayMs));
    await earn('future', 'B', 7, at(borderMs() + 9 * dayMs));
    await settle();
    await earn('future', 'B', 5_000, at(borderMs() - dayMs));
    const { asOf, seenUpTo } = await scopeOf('future');
    const later = { publisherId: 'aurora', groupId: 'future', asOf: new Date(asOf.getTime() + 10 * dayMs) };
    const scope = async (): Promise<PayoutScope> =>
      (
        await db()
          .transaction()
          .execute((tx) => readScope(tx, { ...later, seenUpTo }))
      ).scope;
    expect(due(await expectSameForMembers(db(), await scope())), 'one recording is unposted').toEqual([
      ['A', 'USD', 1_111n, 4],
      ['B', 'USD', 7n, 1],
    ]);
    await settle();
    expect(due(await expectSameForMembers(db(), await scope()))).toEqual([
      ['A', 'USD', 1_111n, 4],
      ['B', 'USD', 5_007n, 2],
    ]);
  });

  test("aren't used if too many rows were recorded since the cutoff", async () => {
    await makeGroup('recent');
    const scope = await scopeOf('recent');
    for (let n = 0; n < 3; n += 1) await earn('recent', 'A', 1);
    const read = (maxRecent: number) =>
      db()
        .transaction()
        .execute(async (tx) => {
          await sql`select ${pinPlans}`.execute(tx);
          return readSumsUntil(tx, scope, maxRecent);
        });
    expect(await read(2)).toBeNull();
    expect(await read(3)).toEqual(new Date(borderMs()));
    await settle();
  });

  test('agree with the rows while purchases, postings and refunds commit', async () => {
    await makeGroup('busy');
    const random = new Random(7);
    const earned: string[] = [];
    const work = async (): Promise<void> => {
      for (let n = 0; n < 25; n += 1) {
        const { transactionId } = await earn(
          'busy',
          random.pick(['A', 'B']),
          100 + n,
          at(borderMs() - n * dayMs),
        );
        earned.push(transactionId);
        if (random.oneIn(2)) await settle();
        if (random.oneIn(3)) await patch(random.pick(earned), { json: { action: 'Refund' } });
      }
    };
    let isDone = false;
    const working = work().finally(() => {
      isDone = true;
    });
    let seen = 0;
    const scopes: PayoutScope[] = [];
    while (!isDone) {
      scopes.push(await scopeOf('busy'));
      await expectSameAsRows(db(), random.pick(scopes));
      seen += 1;
    }
    await working;
    await settle();
    for (const scope of scopes) await expectSameAsRows(db(), scope);
    expect(seen).toBeGreaterThan(5);
  });
});

const seed = Number(process.env.SUMS_SEED ?? 84);

describe('random histories', () => {
  test.each([0, 1])(`of group %i give the same amounts from sums as from rows`, async (number) => {
    const random = new Random(seed * 1_000 + number);
    const groupId = `random-${number}`;
    const support: Asking = await asRole(service(), 'owner');
    await makeGroup(groupId);
    const offsets = [-40 * dayMs, -2 * dayMs, -dayMs - 1, -dayMs, -1, 0, 1, dayMs / 2, 10 * dayMs];
    const earned: string[] = [];
    const holds: string[] = [];
    const batches: string[] = [];
    const refunded: [string, string][] = [];
    const log: string[] = [];
    /** Includes the cutoffs of payouts that were created since then, for which the amounts no longer have a meaning. */
    const scopes: PayoutScope[] = [];
    const steps: Record<string, () => Promise<unknown>> = {
      earn: async () =>
        earned.push(
          (
            await earn(groupId, random.pick(['A', 'B']), 1 + random.below(1_000), {
              ...at(borderMs() + random.pick(offsets)),
              currency: random.pick(['USD', 'EUR']),
            })
          ).transactionId,
        ),
      settle: () => settle(),
      reverse: () => patch(random.pick(earned), { json: { action: random.pick(['Refund', 'Fraud']) } }),
      refund: async () => {
        const transactionId = random.pick(earned);
        const refundId = `re_${number}_${log.length}`;
        await refund(transactionId, { refundId, reason: 'Refund', amount: 1 }, { key: keys().backend });
        refunded.push([transactionId, refundId]);
      },
      reinstate: async () => {
        const [transactionId, refundId] = random.pick(refunded);
        await service().call(
          'POST',
          `/v1/attributions/transactions/${transactionId}/refunds/${refundId}/reinstate`,
          { key: keys().backend, json: {} },
        );
      },
      hold: async () => {
        const { body } = await support('POST', `/transactions/${random.pick(earned)}/holds`, {
          reason: 'dispute',
        });
        if (body.holds !== undefined) holds.push(body.holds[0].holdId);
      },
      release: () => support('POST', `/holds/${random.pick(holds)}/release`, { reason: 'won' }),
      pay: async () => batches.push(...(await create(groupId)).map(({ batchId }) => batchId)),
      payPreview: async () => {
        const { asOf } = await money.preview(groupId);
        await createOrLess(groupId, asOf).then(({ payouts }) =>
          batches.push(...payouts.map(({ batchId }) => batchId)),
        );
      },
      cancel: () => money.cancel(random.pick(batches)).catch(() => null),
      markPaid: () => money.markPaid(random.pick(batches)).catch(() => null),
    };
    const names = ['earn', 'earn', 'earn', 'settle', 'settle', ...Object.keys(steps)];
    let compared = 0;
    for (let n = 0; n < 70; n += 1) {
      const name = n < 6 ? 'earn' : random.pick(names);
      const lacks =
        (['release'].includes(name) && holds.length === 0) ||
        (['cancel', 'markPaid'].includes(name) && batches.length === 0) ||
        (name === 'reinstate' && refunded.length === 0);
      if (lacks) continue;
      log.push(name);
      await steps[name]?.();
      const scope = await scopeOf(groupId);
      scopes.push(scope);
      const compare = random.oneIn(3) ? expectSameForMembers : expectSameAsRows;
      const now = await compare(db(), scope).catch((error: unknown) => {
        throw new Error(`seed ${seed}: ${log.join(', ')}`, { cause: error });
      });
      compared += now.length;
      await expectSameAsRows(db(), random.pick(scopes), random.pick([null, 'USD']));
    }
    expect(compared).toBeGreaterThan(20);
  });
});
