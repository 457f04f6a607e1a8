import type { DeliveryOptions } from '../delivery-options.ts';
import type { DeliveryState } from '../delivery-state.ts';
import { hangingAfterMs, type InHand } from '../take/delivery-room.ts';
import type { Lane, Queued } from '../take/endpoint-lanes.ts';
import type { TakenDelivery } from '../take/take-deliveries.ts';
import { release } from '../take/worker-lease.ts';
import { isNewsOfFailing, keepDelivered, keepFailed } from './keep-health.ts';
import { nextAttemptAt } from './retry-schedule.ts';
import type { Attempt } from './send-request.ts';
import { startAttempt } from './start-attempt.ts';
import { traceDelivery } from './trace-attempt.ts';

type Sent = Pick<Queued, 'delivery' | 'inHand'>;

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
        giveBack(lane);
        return;
      }
      lane.queue.shift();
      send(lane, next);
    }
  };

  const send = (lane: Lane, { delivery, inHand }: Queued): void => {
    const startedMs = performance.now();
    lane.slots.sent(startedMs);
    state.room.sent(inHand, startedMs);
    try {
      const onEnded = (attempt: Attempt): void => ended(lane, { delivery, inHand }, attempt);
      inHand.request = startAttempt(options, delivery, onEnded);
    } catch (error) {
      onError(error);
    }
  };

  const ended = (lane: Lane, { delivery, inHand }: Sent, attempt: Attempt): void => {
    const isDelivered = attempt.statusCode === 200;
    const endedMs = performance.now();
    lane.slots.answered(isDelivered, endedMs, endedMs - (inHand.sentMs ?? endedMs) > hangingAfterMs);
    state.room.answered(inHand);
    if (state.isGivingUp && inHand.isGivenUp && !isDelivered) return; // by us: it stays as it was

    const now = clock.now();
    end(delivery, inHand, attempt, now);
    if (isDelivered) sendNext(lane);
    else giveBack(lane);
    keepHealth(lane, delivery, isDelivered, now);
  };

  const end = (delivery: TakenDelivery, inHand: InHand, attempt: Attempt, now: Date): void => {
    const { publisherId, tries, createdAt } = delivery;
    const isDelivered = attempt.statusCode === 200;
    const next = isDelivered ? null : nextAttemptAt(tries + 1, now, attempt.retryAfterMs, Math.random());
    const outcome = isDelivered ? 'Delivered' : next === null ? 'Failed' : 'Pending';
    state.end(publisherId, { delivery: inHand, attempt, outcome, nextAttemptAt: next });
    if (outcome !== 'Pending') traceDelivery(delivery, outcome, now);
    const isFirst = isDelivered && tries === 0;
    onAttempt(isDelivered, isFirst ? (now.getTime() - createdAt.getTime()) / 1_000 : null);
  };

  /** What waits for an endpoint that has failed may as well wait in the database. */
  const giveBack = (lane: Lane): void => {
    const waiting = lane.queue.splice(0).map(({ inHand }) => inHand);
    if (waiting.length === 0) return;
    // First, so that what is taken anew is not forgotten, and what could not be released is found to be lost.
    for (const inHand of waiting) state.letGo(inHand);
    release(db, state.workerId, waiting).catch(onError);
  };

  const keepHealth = (
    lane: Lane,
    { publisherId, endpointId, failingSince }: TakenDelivery,
    isDelivered: boolean,
    at: Date,
  ): void => {
    if (isDelivered ? failingSince === null && !lane.hasFailed : !isNewsOfFailing(failingSince, at)) return;
    lane.hasFailed = !isDelivered;
    const key = { publisherId, endpointId };
    if (isDelivered) keepDelivered(db, key).catch(onError);
    else
      keepFailed(db, key, at).then((isSwitchedOff) => {
        if (isSwitchedOff) onSwitchedOff();
      }, onError);
  };

  return sendNext;
}
