import { unavailability } from '../../platform/database/database-errors.ts';
import { Refusal } from '../../platform/refusal.ts';
import { type Connector, connectorColumns, toConnector } from '../connector-record.ts';
import { fromReading, problemIn } from '../events/reading.ts';
import type { Movement } from '../movement.ts';
import { applyDispute } from './apply-dispute.ts';
import { applyRefund } from './apply-refund.ts';
import { applyReversed } from './apply-reversed.ts';
import { applySale } from './apply-sale.ts';
import type { EventDeps } from './deps.ts';
import { finishEvent } from './finish-event.ts';
import type { Outcome } from './outcome.ts';
import { type TakenEvent, takeEvents } from './take-events.ts';

/** Events of a publisher that are worked on at the same time. Their purchases are recorded together. */
const atOnce = 8;

/** Attempts after which an event that fails for an unknown reason is given up. */
const maxAttempts = 20;

/**
 * Works on a publisher's due events. An event that is worked on twice, because a process died, has the same effect as once: purchases
 * and refunds have ids.
 * @param eventIds only these
 * @returns the number of events
 */
export async function workEvents(
  deps: EventDeps,
  publisherId: string,
  eventIds: readonly string[] | null = null,
): Promise<number> {
  const events = await takeEvents(deps.db, publisherId, deps.clock.now(), eventIds);
  if (events.length === 0) return 0;
  const connectors = await readConnectors(deps, publisherId, events);
  const left = [...events];
  await Promise.all(
    Array.from({ length: Math.min(atOnce, left.length) }, async () => {
      for (let event = left.shift(); event !== undefined; event = left.shift()) {
        const connector = connectors.get(event.connectorId);
        if (connector === undefined) throw new Error('an event belongs to a connector that does not exist');
        const outcome = await outcomeOf(deps, connector, event);
        await finishEvent(deps, publisherId, event, outcome);
        deps.onFinished(outcome.status, outcome.reason);
      }
    }),
  );
  return events.length;
}

/** Reads the connectors of events, including removed ones, whose events are still worked on. */
async function readConnectors(
  { db }: EventDeps,
  publisherId: string,
  events: readonly TakenEvent[],
): Promise<ReadonlyMap<string, Connector>> {
  const ids = [...new Set(events.map(({ connectorId }) => connectorId))];
  const rows = await db
    .selectFrom('connector')
    .select(connectorColumns)
    .where('publisher_id', '=', publisherId)
    .where('connector_id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.connector_id, toConnector(row)]));
}

async function outcomeOf(deps: EventDeps, connector: Connector, event: TakenEvent): Promise<Outcome> {
  const movement = fromReading(event.reading);
  if (movement === null)
    return {
      status: 'Failed',
      reason: 'Unreadable',
      message: problemIn(event.reading) ?? 'What arrived is not stored anymore.',
    };
  try {
    return await apply(deps, connector, event, movement);
  } catch (error) {
    return toOutcome(error, event);
  }
}

function toOutcome(error: unknown, { attempt }: TakenEvent): Outcome {
  const isTransient =
    (error instanceof Refusal && error.code === 'Unavailable') || unavailability(error) !== null;
  if (error instanceof Refusal && !isTransient)
    return { status: 'Failed', reason: 'Invalid', message: error.message };
  const message = isTransient ? 'The database was not available.' : 'An unexpected error occurred.';
  return isTransient || attempt < maxAttempts
    ? { status: 'Waiting', reason: 'Retry', message }
    : { status: 'Failed', reason: 'Error', message };
}

async function apply(
  deps: EventDeps,
  connector: Connector,
  event: TakenEvent,
  movement: Movement,
): Promise<Outcome> {
  if (movement.kind === 'Ignored') return { status: 'Ignored', reason: movement.reason };
  const program = await deps.programs.get(connector.publisherId);
  if (program === null) throw new Error('a connector belongs to a publisher that does not exist');
  if (program.isSandbox && !event.isTest) return { status: 'Ignored', reason: 'Live' };
  const work = { deps, connector, event, program };
  if (movement.kind === 'Sale') return applySale(work, movement);
  // Test rows earn nothing, so there is nothing to take back.
  if (event.isTest && !program.isSandbox) return { status: 'Ignored', reason: 'Test' };
  switch (movement.kind) {
    case 'Refund':
      return applyRefund(work, movement);
    case 'Reversed':
      return applyReversed(work, movement);
    case 'Dispute':
      return applyDispute(work, movement);
  }
}
