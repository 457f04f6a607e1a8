import { expect } from 'vitest';
import { purchase } from '../fixtures.ts';
import { operations } from '../money.ts';
import { testActor } from '../test-actor.ts';
import { transactionPath, transactionsPath } from '../transactions.ts';
import { type Life, perhapsCrashing, send } from './life.ts';
import type { Entry, Reversal, Row } from './model/records.ts';
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
    entries.map((entry) => ({ ...entry, member: group.creators.survivor(entry.member) })),
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

let refunds = 0;

/**
 * Refunds a part of any purchase, including unposted, paid and Test purchases: an amount to spread, amounts of
 * some rows, or all that is left. Sometimes sends the same refund again.
 */
export async function refund(life: Life): Promise<void> {
  const { random, group, log } = life;
  const index = random.oneIn(3) ? group.purchases.length - 1 : random.below(group.purchases.length);
  const rows = group.purchases[index] ?? [];
  const action = random.pick(reversals);
  const amountOf = (left: bigint): bigint =>
    random.pick([1n, 7n, left / 3n, left / 2n, left, left - 1n, left + 1n].filter((each) => each > 0n));
  const leftOf = ({ subtotal, refunded }: Row): bigint => subtotal - refunded;
  const kind = random.pick(['spread', 'spread', 'rows', 'rows', 'rest']);
  const named = rows.filter(() => random.oneIn(2));
  const amounts =
    kind === 'rows' && named.length > 0
      ? new Map(named.map((row) => [row, random.oneIn(4) ? null : amountOf(leftOf(row))]))
      : kind === 'rest'
        ? null
        : amountOf(rows.reduce((sum, row) => sum + leftOf(row), 0n));
  refunds += 1;
  const body = {
    refundId: `re_${refunds}`,
    reason: action,
    ...(typeof amounts === 'bigint' && { amount: Number(amounts) }),
    ...(amounts instanceof Map && {
      rows: [...amounts].map(([{ id }, amount]) => ({
        id,
        ...(amount !== null && { amount: Number(amount) }),
      })),
    }),
  };
  const isTooLarge = typeof amounts === 'bigint' && amounts > BigInt(Number.MAX_SAFE_INTEGER);
  const isInvalid = amounts instanceof Map && [...amounts.values()].some(isUnsafe);
  const expected =
    isTooLarge || isInvalid ? 400 : group.refund(rows, amounts, { action, refundId: body.refundId });
  log.push(`refund ${life.purchaseIds[index]} ${JSON.stringify(body)}: ${expected}`);
  const path = `${transactionPath(life.purchaseIds[index] ?? '')}/refunds`;
  const answer = await send(life, 'POST', path, body);
  const first = await answer.text();
  expect([answer.status, first]).toEqual([expected, expect.anything()]);
  if (expected !== 200 || !random.oneIn(3)) return;
  const again = await send(life, 'POST', path, body);
  expect([again.status, await again.text()]).toEqual([200, first]);
}

const isUnsafe = (amount: bigint | null): boolean => (amount ?? 0n) > BigInt(Number.MAX_SAFE_INTEGER);

/** Claws back a row, and expects a rejection unless the row is paid and not reversed. */
export async function clawBack(life: Life): Promise<void> {
  const { random, group, log, context } = life;
  const paid = group.rows().filter(({ batch }) => batch?.status === 'Paid');
  const row: Row = random.pick(paid.length > 0 && !random.oneIn(4) ? paid : group.rows());
  const action = random.pick(reversals);
  const left = row.amount - row.taken;
  const part = random.oneIn(2) ? random.pick([1n, 2n, left / 3n, left / 2n, left, left + 1n]) : null;
  const isAllowed = group.canClawBack(row, part);
  log.push(`claw back ${part ?? 'all'} of ${row.id} ${action}: ${isAllowed}`);
  const isDone = await perhapsCrashing(
    life,
    (db) =>
      operations.clawBack(db, testActor, {
        publisherId: context.publisherId,
        row: row.id,
        status: action,
        reason: null,
        partMinor: part,
      }),
    isAllowed,
  );
  if (isDone) group.clawBack(row, part, action);
}
