import { expect } from 'vitest';
import { operations } from '../money.ts';
import { testActor } from '../test-actor.ts';
import { transactionPath } from '../transactions.ts';
import { type Life, perhapsCrashing, send } from './life.ts';
import type { Taking } from './model/records.ts';

interface ListedRefund {
  refundId: string;
  source: string;
  reason: string;
  reinstatedAt?: string;
  rows: { id: string }[];
}

/**
 * Reinstates a refund, a status change or a clawback of any purchase, including unposted and paid purchases.
 * Sometimes reinstates it again.
 */
export async function reinstate(life: Life): Promise<void> {
  const { random, group, log, context } = life;
  if (group.takings.length === 0) return;
  const taking = random.pick(random.oneIn(3) ? group.takings.slice(-1) : group.takings);
  const [first] = taking.rows;
  const index = group.purchases.findIndex((rows) => first !== undefined && rows.includes(first));
  const transactionId = life.purchaseIds[index] ?? '';
  const refundId = await findId(life, transactionId, taking);
  const isAllowed = taking.isReinstated || group.canReinstate(taking);
  log.push(`reinstate ${taking.source} ${refundId} of ${transactionId}: ${isAllowed}`);
  const isDone = await perhapsCrashing(
    life,
    (db) =>
      operations.reinstateRefund(db, testActor, {
        publisherId: context.publisherId,
        transactionId,
        refundId,
        reason: 'the bank rejected it',
        occurredAt: null,
      }),
    isAllowed,
  );
  if (!isDone) return;
  group.reinstate(taking);
  const again = await send(
    life,
    'POST',
    `${transactionPath(transactionId)}/refunds/${encodeURIComponent(refundId)}/reinstate`,
    { reason: 'again' },
  );
  const { rows } = (await again.json()) as { rows: { id: string; status: string }[] };
  expect([again.status, rows.map(({ id, status }) => `${id} ${status}`).sort()]).toEqual([
    200,
    [...taking.rows].map(({ id, status }) => `${id} ${status}`).sort(),
  ]);
}

/** Finds the id in the list of refunds, as a caller does. */
async function findId(life: Life, transactionId: string, taking: Taking): Promise<string> {
  if (taking.refundId !== null) return taking.refundId;
  const { service, key } = life.context;
  const answer = await fetch(`${service.url}${transactionPath(transactionId)}/refunds`, {
    headers: { 'x-shared-secret': key },
  });
  const refunds = (await answer.json()) as ListedRefund[];
  const alike = refunds.filter(
    ({ source, reason, rows }) =>
      source === taking.source &&
      (taking.source === 'Clawback' || reason === taking.action) &&
      rows.some(({ id }) => [...taking.rows].some((row) => row.id === id)),
  );
  const ofModel = life.group.takings.filter(
    (each) =>
      each.source === taking.source &&
      (taking.source === 'Clawback' || each.action === taking.action) &&
      [...each.rows].some((row) => taking.rows.has(row)),
  );
  expect(alike.map(({ reinstatedAt }) => reinstatedAt !== undefined)).toEqual(
    ofModel.map(({ isReinstated }) => isReinstated),
  );
  return alike[ofModel.indexOf(taking)]?.refundId ?? '';
}
