import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Asking, asRole } from '../../../../test/admin.ts';
import { entriesOf } from '../../../../test/audit.ts';
import { type Earned, testPages, useMoney } from '../../../../test/money.ts';
import {
  type CrashingDatabase,
  openCrashingDatabase,
} from '../../../../test/simulation/crashing-database.ts';
import { testActor } from '../../../../test/test-actor.ts';
import type { PayoutBatchId } from '../../../platform/database/tables.generated.ts';
import { publishersToResume, resumePayouts } from '../resume-payouts.ts';
import { startPayRun } from '../runs/start-pay-run.ts';
import { workPayRun } from '../runs/work-pay-run.ts';
import { createPayout } from './create-payout.ts';
import { listReductions, type Reductions } from './reductions.ts';

const money = useMoney();
const { service, keys, makeGroup, earn, settle, preview, create, createOrLess, patch, db, query, number } =
  money;
let support: Asking;
let crashing: CrashingDatabase;
beforeAll(async () => {
  support = await asRole(service(), 'support');
  crashing = openCrashingDatabase(service().testDatabase.connection);
});
afterAll(() => crashing?.close());
afterEach(() => money.expectSound());

const refund = async ({ transactionId }: Earned, action = 'Refund') =>
  expect((await patch(transactionId, { form: { action } })).status).toBe(200);
const refundPart = async ({ transactionId }: Earned, amount: number) => {
  const refundId = `part-${transactionId}`;
  const sent = { refundId, amount, reason: 'Refund' };
  const answer = await money.refund(transactionId, sent, { key: keys().backend });
  expect(answer.status).toBe(200);
};
const hold = async (path: string): Promise<string> => {
  const { status, body } = await support('POST', `${path}/holds`, { reason: 'dispute' });
  expect(status).toBe(200);
  return body.holds?.[0].holdId ?? body.holdId;
};
const named = ({ members }: Reductions) =>
  members.map(({ name, currency, previewedMinor, paidMinor, reasons }) =>
    [name, currency, previewedMinor, paidMinor, ...reasons].join(' '),
  );
/** Sum of the rows, rewards and adjustments in payouts of a group. */
const paidFor = (group: string) =>
  number(sql`
    select coalesce(sum(p.share_minor - coalesce(p.reversed_minor, 0)), 0) as n
    from payment p join payout_batch b using (publisher_id)
    where p.group_id = ${group} and p.payout_batch_id = b.batch_id and b.status <> 'Cancelled'`);

describe('a payout of a preview in which amounts fell', () => {
  test('pays the rest, and names each member with the reason, also when it is repeated', async () => {
    await makeGroup('fell', 'payoutMinimums: { JPY: 50 },');
    const whole = await earn('fell', 'A', 100);
    const part = await earn('fell', 'A', 200);
    await earn('fell', 'A', 1_000);
    const held = await earn('fell', 'B', 30);
    await earn('fell', 'B', 5);
    const fraud = await earn('fell', 'A', 20, { currency: 'JPY' });
    await earn('fell', 'A', 40, { currency: 'JPY' });
    const gone = await earn('fell', 'B', 9, { currency: 'EUR' });
    await settle();
    const { asOf } = await preview('fell');
    await refund(whole, 'Chargeback');
    await refundPart(part, 50);
    await hold(`/transactions/${held.transactionId}`);
    await refund(fraud, 'Fraud');
    await refund(gone);
    await earn('fell', 'B', 5_000);
    await settle();
    const entries = await entriesOf(db(), async () => {
      const { payouts, reductions } = await createOrLess('fell', asOf);
      expect(payouts).toMatchObject([{ currency: 'USD', totalMinor: 1_155n, memberCount: 2, rowCount: 3 }]);
      expect(reductions.totals).toEqual([
        { currency: 'EUR', amountMinor: 9n },
        { currency: 'JPY', amountMinor: 60n },
        { currency: 'USD', amountMinor: 180n },
      ]);
      expect(named(reductions)).toEqual([
        'A USD 1300 1150 Chargeback part',
        'A JPY 60 0 Fraud minimum',
        'B USD 35 5 hold',
        'B EUR 9 0 Refund',
      ]);
    });
    expect(entries).toMatchObject([
      {
        action: 'payout.create',
        after: {
          totalMinor: '1155',
          reducedCount: 2,
          reducedMinor: '180',
          reducedMembers: [
            {
              memberId: 'acc_fell_A',
              previewedMinor: '1300',
              paidMinor: '1150',
              reasons: ['Chargeback', 'part'],
            },
            { memberId: 'acc_fell_B', previewedMinor: '35', paidMinor: '5', reasons: ['hold'] },
          ],
        },
      },
    ]);
    expect(await paidFor('fell')).toBe(1_155n);
    const again = await createOrLess('fell', asOf);
    expect(again.payouts).toMatchObject([{ currency: 'USD', totalMinor: 1_155n, isNew: false }]);
    expect(named(again.reductions)).toHaveLength(4);
    const key = { publisherId: 'aurora', batchId: again.payouts[0]?.batchId as PayoutBatchId };
    const first = await listReductions(db(), testPages, key, { cursor: null, size: 1 });
    expect(first.rows).toEqual([again.reductions.members[0]]);
    const { rows, nextCursor } = await listReductions(db(), testPages, key, {
      cursor: first.nextCursor,
      size: 1,
    });
    expect([rows, nextCursor]).toEqual([[again.reductions.members[2]], null]);
    // An amount that fell below the minimum waits. Later earnings are in the next payout.
    expect(await create('fell', null, 'USD')).toMatchObject([{ totalMinor: 5_000n }]);
  });

  test('leaves out a member with a hold; a hold that was released in between changes nothing', async () => {
    await makeGroup('kept');
    await earn('kept', 'A', 100);
    const other = await earn('kept', 'B', 30);
    await settle();
    const { asOf } = await preview('kept');
    await hold('/members/acc_kept_A');
    const holdId = await hold(`/transactions/${other.transactionId}`);
    expect((await support('POST', `/holds/${holdId}/release`, { reason: 'won' })).status).toBe(200);
    const { payouts, reductions } = await createOrLess('kept', asOf);
    expect(payouts).toMatchObject([{ totalMinor: 30n, memberCount: 1 }]);
    expect(named(reductions)).toEqual(['A USD 100 0 hold']);
  });

  test('is rejected as a whole if an amount may have risen', async () => {
    await makeGroup('rose');
    const row = await earn('rose', 'A', 100);
    await earn('rose', 'A', 20);
    const kept = await earn('rose', 'B', 30);
    await settle();
    const holdId = await hold(`/transactions/${kept.transactionId}`);
    const { asOf } = await preview('rose');
    await refund(row);
    await support('POST', `/holds/${holdId}/release`, { reason: 'won' });
    await expect(createOrLess('rose', asOf)).rejects.toThrow('Preview the payout again');
    expect(await paidFor('rose')).toBe(0n);
  });

  test('repeats the confirmed total of the preview, and never pays more', async () => {
    await makeGroup('total');
    const row = await earn('total', 'A', 100);
    await earn('total', 'A', 20);
    await settle();
    const { asOf } = await preview('total');
    await refund(row);
    const usd = (totalMinor: bigint) => createOrLess('total', asOf, { currency: 'USD', totalMinor });
    for (const wrong of [20n, 119n, 121n])
      await expect(usd(wrong)).rejects.toThrow('the total due in group total is 1.20 USD');
    expect((await usd(120n)).payouts).toMatchObject([{ totalMinor: 20n, isNew: true }]);
    expect((await usd(120n)).payouts).toMatchObject([{ totalMinor: 20n, isNew: false }]);
    await expect(usd(20n)).rejects.toThrow('is 1.20 USD');
    await expect(createOrLess('total', asOf, { isExact: true })).rejects.toThrow(
      'was created from this preview, and pays 1 member(s) less than it showed',
    );
  });

  test('pays each row once when it is requested several times during refunds', async () => {
    await makeGroup('race');
    for (let round = 0; round < 4; round += 1) {
      const rows = await Promise.all(
        Array.from({ length: 12 }, (_, index) => earn('race', index % 2 ? 'A' : 'B', 10 + index)),
      );
      await settle();
      const { asOf, payables } = await preview('race');
      const previewed = payables.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
      const before = await paidFor('race');
      const outcomes = await Promise.all([
        ...[0, 5, 20].map((ms) =>
          sleep(ms).then(() =>
            createOrLess('race', asOf).catch(({ message }: Error) => {
              expect(message).toMatch(/is being created|keep changing/);
              return null;
            }),
          ),
        ),
        ...rows.slice(0, 8).map(async ({ transactionId }, index) => {
          await sleep(index * 15);
          await patch(transactionId, { form: { action: 'Refund' } });
          return null;
        }),
      ]);
      const made = outcomes.flatMap((each) => (each === null ? [] : [each]));
      const final = await createOrLess('race', asOf);
      const [payout, ...more] = final.payouts;
      expect(more).toEqual([]);
      const total = payout?.totalMinor ?? 0n;
      const reduced = final.reductions.totals[0]?.amountMinor ?? 0n;
      expect(total + reduced).toBe(previewed);
      expect((await paidFor('race')) - before).toBe(total);
      for (const { payouts } of made) expect(payouts[0]?.batchId).toBe(payout?.batchId);
      await money.expectSound();
    }
  });
});

describe('after a crash at any point', () => {
  const expire = () =>
    query(sql`
      update payout_batch set worked_until = now() - interval '1 second' where worked_until is not null`);
  const resume = async () => {
    await expire();
    for (const publisherId of await publishersToResume(db())) await resumePayouts(db(), publisherId);
  };
  const points = [14, 20, 26, 32, 38].map((beforeStatement) => ({ beforeStatement }));

  test.each([...points, { afterCommit: 3 }, { afterCommit: 4 }, { afterCommit: 5 }])(
    'a payout that pays less is complete or undone, and can be repeated: %j',
    async (crash) => {
      const group = `dies-${JSON.stringify(crash).replaceAll(/\W/g, '')}`.toLowerCase();
      await makeGroup(group, 'payoutMinimums: { USD: 10 },');
      const [ofA, ofB] = [await earn(group, 'A', 100), await earn(group, 'B', 30)];
      await earn(group, 'A', 20);
      await earn(group, 'B', 5);
      await settle();
      const { asOf } = await preview(group);
      await refund(ofA);
      await refund(ofB);
      const request = { publisherId: 'aurora', groupId: group, currency: null, asOf };
      await createPayout(crashing.db(crash), testActor, request).catch(() => undefined);
      await money.expectSound();
      await resume();
      expect([0n, 20n]).toContain(await paidFor(group));
      const { payouts, reductions } = await createOrLess(group, asOf);
      expect(payouts).toMatchObject([{ totalMinor: 20n, memberCount: 1, rowCount: 1 }]);
      expect(named(reductions)).toEqual(['A USD 120 20 Refund', 'B USD 35 0 Refund minimum']);
      expect(await paidFor(group)).toBe(20n);
      expect(
        await number(sql`select count(*) as n from payout_item i join payout_batch b using (batch_id)
                              where b.group_id = ${group} and b.status <> 'Cancelled'`),
      ).toBe(1n);
    },
  );

  test.each([6, 9, 12, 16])(
    'a pay run continues, and accepts its own payout that paid less: commit %i',
    async (afterCommit) => {
      const groups = [`run-a-${afterCommit}`, `run-b-${afterCommit}`];
      const rows: Earned[] = [];
      for (const group of groups) {
        await makeGroup(group);
        rows.push(await earn(group, 'A', 100));
        await earn(group, 'A', 20);
      }
      await settle();
      const { asOf } = await preview(groups[0] ?? '');
      const lines = groups.map((groupId) => ({ groupId, currency: 'USD', totalMinor: 120n }));
      for (const row of rows) await refund(row);
      const request = { publisherId: 'aurora', asOf, lines, isExact: false };
      const work = async (at: ReturnType<typeof db>) => {
        const { payRunId, leaseId } = await startPayRun(at, testActor, request);
        if (leaseId === null) return;
        const lease = { publisherId: 'aurora', payRunId, leaseId };
        await workPayRun(at, lease, { actor: testActor, onError: () => undefined });
      };
      await work(crashing.db({ afterCommit })).catch(() => undefined);
      await query(
        sql`update pay_run set worked_until = now() - interval '1 second' where worked_until is not null`,
      );
      await resume();
      // A line whose process died in the middle may have failed. The same request repeats it.
      for (let turn = 0; turn < 2; turn += 1) await work(db());
      for (const group of groups) expect(await paidFor(group)).toBe(20n);
      const found = await query(sql<{ total: string; failure: string | null }>`
        select b.total_minor::text as total, l.failure_message as failure
        from pay_run_line l left join payout_batch b on b.batch_id = l.payout_batch_id
        where l.group_id = any(${groups}::text[])`);
      expect(found).toEqual(groups.map(() => ({ total: '20', failure: null })));
    },
  );
});
