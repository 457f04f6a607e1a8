import { fewAtOnce } from '../../../platform/work/few-at-once.ts';
import type { Round } from '../../../platform/work/repeat.ts';
import type { DeliveryOptions } from '../delivery-options.ts';
import type { DeliveryState } from '../delivery-state.ts';
import { chooseTakes, type Take } from './choose-takes.ts';
import { DueEndpoints, type Look } from './due-endpoints.ts';
import type { Lane } from './endpoint-lanes.ts';
import { freeingLost } from './free-lost.ts';
import type { Heartbeat } from './heartbeat.ts';
import { beginningOf, type TakenDelivery, takeDeliveries } from './take-deliveries.ts';

const queriesAtOnce = 4;
const pauseWhenBusyMs = 5;
const pauseWhenShortMs = 50;
/** What counts as new where there is a backlog. */
const freshMs = 10_000;

/**
 * The loop that takes what is due and has room, and has it sent.
 * @param sendNext sends what waits in a lane
 * @returns one round of it
 */
export function takingDue(
  {
    db,
    statements,
    clock,
    intervalMs,
    isSpread,
  }: Pick<DeliveryOptions, 'db' | 'statements' | 'clock' | 'intervalMs' | 'isSpread'>,
  state: DeliveryState,
  heartbeat: Heartbeat,
  sendNext: (lane: Lane) => void,
): () => Promise<Round> {
  const { room, lanes, workerId } = state;
  const due = new DueEndpoints(db, isSpread);
  const freeLost = freeingLost(db, state);

  const takeSome = async (take: Take, first: Look['first']): Promise<void> => {
    const { publisherId, size, endpointIds, shares } = take;
    const now = clock.now();
    const freshAt = new Date(+now - freshMs);
    const from = first === 'newest' && take.from.dueAt < freshAt ? beginningOf(freshAt) : take.from;
    let taken: TakenDelivery[] = [];
    try {
      taken = await takeDeliveries(statements, workerId, {
        publisherId,
        endpointIds,
        size,
        from,
        now,
        first,
      });
      for (const delivery of taken) {
        const inHand = state.keep(delivery, shares);
        const lane = lanes.of(publisherId, delivery.endpointId);
        lane.queue.push({ delivery, inHand, takenMs: performance.now() });
        sendNext(lane);
      }
    } finally {
      room.giveBack(publisherId, size * endpointIds.length - taken.length, shares);
    }
    if (first === 'oldest') due.keepUnfinished(publisherId, endpointIds, size, taken);
  };

  return async () => {
    await freeLost();
    room.sweep(performance.now());
    if (room.isFull) return { pauseMs: pauseWhenBusyMs, isBusy: true };
    const look = await due.look();
    const { takes, isShort } = chooseTakes(look, lanes, room, clock.now());
    if (takes.length > 0) {
      state.tookMs = performance.now();
      await heartbeat.beforeTaking();
    }
    const before = state.inHand;
    await fewAtOnce(takes, queriesAtOnce, (take) => takeSome(take, look.first));
    if (state.inHand > before || due.mayHaveMore) return { pauseMs: pauseWhenBusyMs, isBusy: true };
    return { pauseMs: isShort ? pauseWhenShortMs : intervalMs, isBusy: isShort };
  };
}
