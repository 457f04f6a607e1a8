import { expect } from 'vitest';
import { purchase } from '../fixtures.ts';
import { operations } from '../money.ts';
import { testActor } from '../test-actor.ts';
import { transactionPath, transactionsPath } from '../transactions.ts';
import { type Life, perhapsCrashing, send } from './life.ts';
import type { Entry, Reversal, Row } from './model.ts';
import type { Random } from './random.ts';
import { codeOf, members, months, skuId } from './wave.ts';

const reversals: readonly Reversal[] = ['Refund', 'Fraud', 'Chargeback'];
/** Date that stays within the hold period. */
const alwaysHeld = Date.UTC(2099, 0);
/** Offsets in milliseconds, including the starts and ends of hours and days. */
const offsetsMs = [0, 1, 3_599_999, 3_600_000, 86_399_999, 86_400_000, 2_500_000_000];

/** Records a purchase, possibly split. Most purchases have earlier dates than rows that are already paid. */
export async function record(life: Life): Promise<void> {
  const { random, group, log } = life;
  const { transactionId } = purchase();
  const entries = Array.from({ length: random.pick([1, 1, 2, 3]) }, () => someEntry(random));
  const sent = entries.map((entry) => asSent(transactionId, entry));
  log.push(`record ${transactionId}: ${JSON.stringify(sent)}`);
  const answer = await send(life, 'POST', `${transactionsPath}?groupId=${group.groupId}`, sent);
  const body = (await answer.json()) as { transaction: { id: string } }[];
  expect(answer.status).toBe(200);
  life.purchaseIds.push(transactionId);
  group.record(
    entries.map((entry) => ({ ...entry, member: group.survivor(entry.member) })),
    body.map(({ transaction }) => transaction.id),
  );
}

function someEntry(random: Random): Entry {
  const member = random.pick(members);
  return {
    member,
    code: codeOf(member), // a claimed member's code credits its claimer
    subtotal: random.pick([1n, 5n, 15n, 25n, 999n, 12_345n, 100_000n, BigInt(Number.MAX_SAFE_INTEGER)]),
    currency: random.pick(['USD', 'USD', 'JPY']),
    date: random.oneIn(10) ? alwaysHeld : random.pick(months) + random.pick(offsetsMs),
    sent: random.oneIn(4) ? random.pick([10_000, 123_456, 500_000, 1_000_000]) : null,
    hasSku: random.oneIn(5),
    isTest: random.oneIn(8),
  };
}

const asSent = (transactionId: string, entry: Entry) =>
  purchase({
    transactionId,
    code: entry.code,
    subtotal: Number(entry.subtotal),
    currency: entry.currency,
    transactionDate: new Date(entry.date).toISOString(),
    ...(entry.sent !== null && { memberSharePercent: entry.sent / 10_000 }),
    ...(entry.hasSku && { skuId }),
    ...(entry.isTest && { status: 'Test' }),
  });

/** Changes the status, or only the playerId, of any purchase, including unposted and Test purchases. */
export async function patch(life: Life): Promise<void> {
  const { random, group, log } = life;
  // The last purchases may be unposted.
  const index = random.oneIn(3) ? group.purchases.length - 1 : random.below(group.purchases.length);
  const action = random.oneIn(6) ? null : random.pick(reversals);
  const id = life.purchaseIds[index] ?? '';
  const isDone = group.patch(group.purchases[index] ?? [], action);
  log.push(`patch ${id} ${action}: ${isDone}`);
  const answer = await send(
    life,
    'PATCH',
    transactionPath(id),
    action === null ? { playerId: 'x' } : { action },
  );
  await answer.arrayBuffer();
  expect(answer.status).toBe(isDone ? 200 : 409);
}

/** Claws back a row, and expects a rejection unless the row is paid and not reversed. */
export async function clawBack(life: Life): Promise<void> {
  const { random, group, log, context } = life;
  const paid = group.rows().filter(({ batch }) => batch?.status === 'Paid');
  const row: Row = random.pick(paid.length > 0 && !random.oneIn(4) ? paid : group.rows());
  const action = random.pick(reversals);
  const isAllowed = row.batch?.status === 'Paid' && !row.isReversed;
  log.push(`claw back ${row.id} ${action}: ${isAllowed}`);
  const isDone = await perhapsCrashing(
    life,
    (db) =>
      operations.clawBack(db, testActor, {
        publisherId: context.publisherId,
        row: row.id,
        status: action,
        reason: null,
      }),
    isAllowed,
  );
  if (isDone) group.clawBack(row, action);
}
