import { sql } from 'kysely';
import type { AttributionRow } from '../../attributions/attribution-row.ts';
import { readPaidRows } from '../../settlement/claw-back/read-paid-rows.ts';
import { findRefund, readRefunds } from '../../settlement/refunds/read-refunds.ts';
import { fromReading } from '../events/reading.ts';
import type { Refund } from '../movement.ts';
import { actorOfConnector, type EventWork } from './event-work.ts';
import { findPurchase } from './find-purchase.ts';
import type { Outcome } from './outcome.ts';
import { scaleRefund } from './scale-refund.ts';

/** Refunds a purchase or part of it. A refund that was made before isn't made again. */
export async function applyRefund(work: EventWork, refund: Omit<Refund, 'kind'>): Promise<Outcome> {
  const { deps, connector } = work;
  const { db, operations } = deps;
  const { publisherId } = connector;
  const found = await findPurchase(work, refund.orderId);
  if ('status' in found) return found;
  const { transactionId, rows } = found;
  const made = findRefund(await readRefunds(db, publisherId, transactionId), refund.subjectId);
  if (made !== undefined) return { status: 'Done', reason: 'AlreadyRefunded', transactionId };
  const real = rows.filter(({ status }) => status !== 'Test');
  if (real.length === 0) return { status: 'Ignored', reason: 'Test' };
  const leftMinor = sumOf(real, ({ subtotalMinor, refundedMinor }) => subtotalMinor - refundedMinor);
  if (leftMinor === 0n) return { status: 'Ignored', reason: 'NothingLeft' };
  const part = await partOf(work, refund, real);
  if (part === 0n) return { status: 'Ignored', reason: 'NothingLeft' };
  const amountMinor = part === null || part >= leftMinor ? null : part;
  const paid = await paidOut(work, transactionId);
  if (paid !== null) return clawBackOrWait(work, { transactionId, refund, amountMinor, paid });
  await operations.refundPurchase(db, actorOfConnector(connector), {
    ...{ publisherId, transactionId, refundId: refund.subjectId, amountMinor },
    rows: null,
    reversal: refund.reversal,
    occurredAt: new Date(refund.at),
  });
  return {
    status: 'Done',
    reason: refund.reversal === 'Chargeback' ? 'ChargedBack' : 'Refunded',
    transactionId,
  };
}

const sumOf = (rows: readonly AttributionRow[], amount: (row: AttributionRow) => bigint): bigint =>
  rows.reduce((sum, row) => sum + amount(row), 0n);

/** Returns the part of the subtotal to refund; null for all that is left. */
async function partOf(
  work: EventWork,
  refund: Omit<Refund, 'kind'>,
  rows: readonly AttributionRow[],
): Promise<bigint | null> {
  const { amount, includesTax } = refund;
  if (amount === null) return null;
  if (!includesTax) return amount.minor;
  const totalMinor = sumOf(rows, (row) => row.totalMinor);
  const subtotalMinor = sumOf(rows, (row) => row.subtotalMinor);
  const beforeMinor = await refundedBefore(work, refund);
  return scaleRefund({ subtotalMinor, totalMinor, beforeMinor, amountMinor: amount.minor });
}

/**
 * Adds up what earlier events of the order refunded, with tax. Each refund counts once, however often it was reported, and also if it was
 * too small to take anything back.
 */
async function refundedBefore(
  { deps: { db }, connector: { publisherId, connectorId }, event }: EventWork,
  { orderId, subjectId }: Omit<Refund, 'kind'>,
): Promise<bigint> {
  const { rows } = await sql<{ subject_id: string; reading: string | null }>`
    select subject_id, reading
    from connector_event
    where publisher_id = ${publisherId} and connector_id = ${connectorId} and order_id = ${orderId} and kind = 'Refund'
      and (status = 'Done' or (status = 'Ignored' and reason = 'NothingLeft'))
      and subject_id <> ${subjectId} and connector_event_id <> ${event.eventId}
    limit 1000`.execute(db);
  const amounts = new Map<string, bigint>();
  for (const { subject_id, reading } of rows) {
    const movement = fromReading(reading);
    if (movement?.kind === 'Refund' && movement.amount !== null)
      amounts.set(subject_id, movement.amount.minor);
  }
  return [...amounts.values()].reduce((sum, each) => sum + each, 0n);
}

type PaidRows = Awaited<ReturnType<typeof readPaidRows>>['rows'];

/** Returns a purchase's rows if one of them is in a payout. */
export async function paidOut(
  { deps: { db }, connector: { publisherId } }: EventWork,
  transactionId: string,
): Promise<PaidRows | null> {
  const { rows } = await readPaidRows(db, publisherId, transactionId);
  return rows.some(({ verdict }) => verdict === 'can' || verdict === 'in a payout') ? rows : null;
}

interface PaidRefund {
  transactionId: string;
  refund: Omit<Refund, 'kind'>;
  amountMinor: bigint | null;
  paid: PaidRows;
}

/**
 * Claws back a purchase that was paid out, if the connector may. A part has no id that would make it harmless to claw it back twice, so
 * that a person decides.
 */
async function clawBackOrWait(
  { deps, connector }: EventWork,
  { transactionId, refund, amountMinor, paid }: PaidRefund,
): Promise<Outcome> {
  const { publisherId, settings } = connector;
  const open = paid.filter(({ verdict }) => verdict !== 'went back');
  const currencies = new Set(open.map(({ currency }) => currency));
  const canAll = open.every(({ verdict }) => verdict === 'can') && currencies.size === 1;
  if (settings.clawsBack !== true || amountMinor !== null || !canAll)
    return {
      status: 'Waiting',
      reason: 'PaidOut',
      message: `The purchase ${transactionId} is in a payout. Claw back what the buyer got back, and replay this event.`,
    };
  const outcomes = await deps.operations.clawBackPurchase(deps.db, actorOfConnector(connector), {
    ...{ publisherId, transactionId, rows: open.map(({ rowId }) => rowId), amounts: [] },
    status: refund.reversal,
    reason: `${refund.reversal} ${refund.subjectId}`.slice(0, 500),
    totalMinor: open.reduce((sum, { shareMinor }) => sum + shareMinor, 0n),
  });
  const failed = outcomes.find(({ isTakenBack }) => !isTakenBack);
  return failed === undefined
    ? { status: 'Done', reason: 'ClawedBack', transactionId }
    : { status: 'Waiting', reason: 'Retry', message: failed.message ?? 'A row was not clawed back.' };
}
