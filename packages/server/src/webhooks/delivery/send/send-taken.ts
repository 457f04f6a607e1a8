import type { DeliveryOptions } from '../delivery-options.ts';
import type { DeliveryState } from '../delivery-state.ts';
import { hangingAfterMs } from '../take/delivery-room.ts';
import type { Lane, Queued } from '../take/endpoint-lanes.ts';
import type { TakenDelivery } from '../take/take-deliveries.ts';
import { release } from '../take/worker-lease.ts';
import { attemptDelivery } from './attempt-delivery.ts';
import { isNewsOfFailing, keepDelivered, keepFailed } from './keep-health.ts';
import { nextAttemptAt } from './retry-schedule.ts';
import type { Attempt } from './send-request.ts';

/** What was taken longer ago is taken anew. */
const staleAfterMs = 2_000;

/**
 * What sends the deliveries that are taken, each endpoint's within its slots; each that is delivered makes room for the next.
 * @returns sends what waits in a lane and has a slot
 */
export function sendingTaken(
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
      // Its endpoint may have been changed since it was taken: off, elsewhere, another secret.
      if (performance.now() - next.takenMs > staleAfterMs) {
        void giveBack(lane).catch(onError);
        return;
      }
      lane.queue.shift();
      void send(lane, next).catch(onError);
    }
  };

  const send = async (lane: Lane, { delivery, inHand }: Queued): Promise<void> => {
    const startedMs = performance.now();
    lane.slots.sent(startedMs);
    state.room.sent(inHand, startedMs);
    const attempt = await attemptDelivery(options, delivery, inHand.giveUp.signal);
    const isDelivered = attempt.statusCode === 200;
    const endedMs = performance.now();
    lane.slots.answered(isDelivered, endedMs, endedMs - startedMs > hangingAfterMs);
    state.room.answered(inHand);
    if (state.isGivingUp && inHand.giveUp.signal.aborted && !isDelivered) return; // by us: it stays as it was

    const now = clock.now();
    end(delivery, attempt, isDelivered, now);
    if (isDelivered) sendNext(lane);
    else await giveBack(lane);
    await keepHealth(lane, delivery, isDelivered, now);
  };

  const end = (delivery: TakenDelivery, attempt: Attempt, isDelivered: boolean, now: Date): void => {
    const { publisherId, endpointId, eventId, tries, createdAt } = delivery;
    const next = isDelivered ? null : nextAttemptAt(tries + 1, now, attempt.retryAfterMs, Math.random());
    const outcome = isDelivered ? 'Delivered' : next === null ? 'Failed' : 'Pending';
    state.end(publisherId, { ...attempt, endpointId, eventId, outcome, nextAttemptAt: next });
    const isFirst = isDelivered && tries === 0;
    onAttempt(isDelivered, isFirst ? (now.getTime() - createdAt.getTime()) / 1_000 : null);
  };

  /** What waits for an endpoint that has failed may as well wait in the database. */
  const giveBack = async (lane: Lane): Promise<void> => {
    const waiting = lane.queue.splice(0).map(({ delivery }) => delivery);
    if (waiting.length === 0) return;
    // First, so that what is taken anew is not forgotten, and what could not be released is found to be lost.
    for (const delivery of waiting) state.letGo(delivery);
    await release(db, state.workerId, waiting);
  };

  const keepHealth = async (
    lane: Lane,
    { publisherId, endpointId, failingSince }: TakenDelivery,
    isDelivered: boolean,
    at: Date,
  ): Promise<void> => {
    if (isDelivered ? failingSince === null && !lane.hasFailed : !isNewsOfFailing(failingSince, at)) return;
    lane.hasFailed = !isDelivered;
    const key = { publisherId, endpointId };
    if (isDelivered) await keepDelivered(db, key);
    else if (await keepFailed(db, key, at)) onSwitchedOff();
  };

  return sendNext;
}
