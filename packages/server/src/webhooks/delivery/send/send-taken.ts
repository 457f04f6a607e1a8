import type { DeliveryOptions } from '../delivery-options.ts';
import type { DeliveryState } from '../delivery-state.ts';
import { type HeldDelivery, hangingAfterMs } from '../take/delivery-capacity.ts';
import type { Lane, Queued } from '../take/endpoint-lanes.ts';
import type { TakenDelivery } from '../take/take-deliveries.ts';
import { release } from '../take/worker-lease.ts';
import { recordFailure, recordSuccess, shouldRecordFailure } from './endpoint-health.ts';
import { nextAttemptAt } from './retry-schedule.ts';
import type { Attempt } from './send-request.ts';
import { startAttempt } from './start-attempt.ts';
import { traceDelivery } from './trace-attempt.ts';

type Sent = Pick<Queued, 'delivery' | 'held'>;

/** Time after which a queued delivery is released and taken again. */
const staleAfterMs = 2_000;

/**
 * Creates the sender of taken deliveries. Each endpoint receives as many requests as it has slots, and each success
 * sends the next ones.
 * @returns a function that sends the queued deliveries of a lane while the lane has free slots
 */
export function createTakenSender(
  options: Pick<
    DeliveryOptions,
    'db' | 'sender' | 'sealer' | 'clock' | 'onAttempt' | 'onSwitchedOff' | 'onError'
  >,
  state: DeliveryState,
): (lane: Lane) => void {
  const { db, clock, onAttempt, onSwitchedOff, onError } = options;

  const sendNext = (lane: Lane): void => {
    while (lane.slots.free(performance.now()) > 0) {
      const [next] = lane.queue;
      if (next === undefined) return;
      // Since the delivery was taken, the endpoint may have been switched off, or its URL or secret may have
      // changed.
      if (performance.now() - next.takenMs > staleAfterMs) {
        releaseQueued(lane);
        return;
      }
      lane.queue.shift();
      send(lane, next);
    }
  };

  const send = (lane: Lane, { delivery, held }: Queued): void => {
    const startedMs = performance.now();
    lane.slots.sent(startedMs);
    state.capacity.sent(held, startedMs);
    try {
      const onEnded = (attempt: Attempt): void => ended(lane, { delivery, held }, attempt);
      held.request = startAttempt(options, delivery, onEnded);
    } catch (error) {
      onError(error);
    }
  };

  const ended = (lane: Lane, { delivery, held }: Sent, attempt: Attempt): void => {
    const isDelivered = attempt.statusCode === 200;
    const endedMs = performance.now();
    lane.slots.answered(isDelivered, endedMs, endedMs - (held.sentMs ?? endedMs) > hangingAfterMs);
    state.capacity.answered(held);
    if (state.isGivingUp && held.isGivenUp && !isDelivered) return; // canceled by this process: the delivery stays pending

    const now = clock.now();
    end(delivery, held, attempt, now);
    if (isDelivered) sendNext(lane);
    else releaseQueued(lane);
    updateHealth(lane, delivery, isDelivered, now);
  };

  const end = (delivery: TakenDelivery, held: HeldDelivery, attempt: Attempt, now: Date): void => {
    const { publisherId, tries, createdAt } = delivery;
    const isDelivered = attempt.statusCode === 200;
    const next = isDelivered ? null : nextAttemptAt(tries + 1, now, attempt.retryAfterMs, Math.random());
    const outcome = isDelivered ? 'Delivered' : next === null ? 'Failed' : 'Pending';
    state.addEnded(publisherId, { delivery: held, attempt, outcome, nextAttemptAt: next });
    if (outcome !== 'Pending') traceDelivery(delivery, outcome, now);
    const isFirst = isDelivered && tries === 0;
    onAttempt(isDelivered, isFirst ? (now.getTime() - createdAt.getTime()) / 1_000 : null);
  };

  /** Releases the queued deliveries of an endpoint that failed, so that they wait in the database instead. */
  const releaseQueued = (lane: Lane): void => {
    const waiting = lane.queue.splice(0).map(({ held }) => held);
    if (waiting.length === 0) return;
    // Removes the deliveries first. Deliveries taken again are then kept, and unreleased deliveries are found to be
    // lost.
    for (const held of waiting) state.remove(held);
    release(db, state.workerId, waiting).catch(onError);
  };

  const updateHealth = (
    lane: Lane,
    { publisherId, endpointId, failingSince }: TakenDelivery,
    isDelivered: boolean,
    at: Date,
  ): void => {
    if (isDelivered ? failingSince === null && !lane.hasFailed : !shouldRecordFailure(failingSince, at))
      return;
    lane.hasFailed = !isDelivered;
    const key = { publisherId, endpointId };
    if (isDelivered) recordSuccess(db, key).catch(onError);
    else
      recordFailure(db, key, at).then((isSwitchedOff) => {
        if (isSwitchedOff) onSwitchedOff();
      }, onError);
  };

  return sendNext;
}
