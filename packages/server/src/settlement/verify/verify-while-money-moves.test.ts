import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { useLinking } from '../../../test/linking.ts';
import type { Earned } from '../../../test/money.ts';
import { Refusal } from '../../platform/refusal.ts';
import { verifyLedgerSince } from './verify-ledger.ts';

const money = useLinking();
const { earn, settle, create, patch, db } = money;
const group = 'busy';
const minRounds = 6;
const dates = ['2024-05-01T12:59:59.999Z', '2024-05-01T13:00:00Z', '2024-05-02T00:00:00Z'];

beforeAll(() => money.makeGroup(group, 'holdDays: 0,'));

test('full and incremental runs find no difference during concurrent changes of every kind', async () => {
  let isOver = false;
  const counts = { earned: 0, refunded: 0, paid: 0, cancelled: 0, clawedBack: 0, merged: 0 };
  const rows: Earned[] = [];
  const pick = <Each>(all: readonly Each[]): Each | undefined => all[Math.floor(Math.random() * all.length)];
  const repeat = async (work: () => Promise<void>): Promise<void> => {
    while (!isOver) await work();
  };

  const moving = Promise.all([
    ...(['A', 'B'] as const).map((member) =>
      repeat(async () => {
        const status = Math.random() < 0.2 ? 'Test' : 'Normal';
        const transactionDate = pick(dates);
        rows.push(await earn(group, member, 1 + Math.floor(Math.random() * 50), { status, transactionDate }));
        counts.earned += 1;
        await sleep(rows.length / 20); // ms; rounds take longer with more rows
      }),
    ),
    repeat(async () => {
      await settle();
    }),
    repeat(async () => {
      const row = pick(rows);
      if (row === undefined) return settle().then(() => undefined);
      const { status } = await patch(row.transactionId, {
        form: { action: Math.random() < 0.5 ? 'Refund' : 'Fraud' },
      });
      expect([200, 409]).toContain(status);
      if (status === 200) counts.refunded += 1;
    }),
    repeat(async () => {
      for (const { batchId } of await create(group).catch(expectRefusal)) {
        if (Math.random() < 0.5) {
          await money.cancel(batchId);
          counts.cancelled += 1;
          continue;
        }
        await money.markPaid(batchId);
        counts.paid += 1;
        const row = pick(rows);
        if (row === undefined) continue;
        await money.clawBack(row.id, 'Fraud').then(() => {
          counts.clawedBack += 1;
        }, expectRefusal);
      }
    }),
    repeat(async () => {
      const name = `M${counts.merged}`;
      const code = await money.generate(group, `p-${name}`);
      const claimer = await money.makeMember(group, name);
      rows.push(await earn(group, 'A', 9, { code }), await earn(group, 'A', 4, { code: name }));
      await money.linked(group, claimer, `p-${name}`);
      counts.merged += 1;
    }),
  ]).finally(() => {
    isOver = true;
  });

  let rowsRead = 0;
  const hasAll = (): boolean => Object.values(counts).every((count) => count > 0);
  for (let round = 1; !isOver && (round <= minRounds || !hasAll()); round += 1) {
    const limits = { rows: 100, snapshotMs: 0 };
    const verdict = await verifyLedgerSince(db(), {
      publisherId: 'aurora',
      all: round % 2 === 0,
      savesProgress: true,
      limits,
    });
    expect(verdict, `round ${round}`).toMatchObject({ isSound: true });
    if (verdict.isSound) rowsRead += verdict.rows;
  }
  isOver = true;
  await moving;
  await settle();
  await money.expectSound();
  expect(rowsRead).toBeGreaterThan(0);
});

/** Expects a Refusal because of another payout, or because a row is not in a payout yet. */
function expectRefusal(error: unknown): never[] {
  expect(error).toBeInstanceOf(Refusal);
  return [];
}
