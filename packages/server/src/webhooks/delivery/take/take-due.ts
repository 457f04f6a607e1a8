import { fewAtOnce } from '../../../platform/work/few-at-once.ts';
import type { Round } from '../../../platform/work/repeat.ts';
import type { DeliveryOptions } from '../delivery-options.ts';
import type { DeliveryState } from '../delivery-state.ts';
import { chooseTakes, type Take } from './choose-takes.ts';
import { type Candidates, DueEndpoints } from './due-endpoints.ts';
import type { Lane } from './endpoint-lanes.ts';
import { createLostReleaser } from './free-lost.ts';
import type { Heartbeat } from './heartbeat.ts';
import { beginningOf, type TakenDelivery, takeDeliveries } from './take-deliveries.ts';

const queriesAtOnce = 4;
const pauseWhenBusyMs = 5;
const pauseWhenShortMs = 50;
/** Age up to which a delivery counts as new when there is a backlog. */
const freshMs = 10_000;

/**
 * Creates the loop that takes due deliveries within the free capacity and sends them.
 * @param sendNext sends the next deliveries of a lane
 * @returns a function that runs one round
 */
export function createTaker(
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
  const { capacity, lanes, workerId } = state;
  const due = new DueEndpoints(db, isSpread);
  const releaseLost = createLostReleaser(db, state);

  const takeSome = async (take: Take, first: Candidates['first']): Promise<void> => {
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
        const held = state.add(delivery, shares);
        const lane = lanes.of(publisherId, delivery.endpointId);
        lane.queue.push({ delivery, held, takenMs: performance.now() });
        sendNext(lane);
      }
    } finally {
      capacity.release(publisherId, size * endpointIds.length - taken.length, shares);
    }
    if (first === 'oldest') due.updateUnfinished(publisherId, endpointIds, size, taken);
  };

  return async () => {
    await releaseLost();
    capacity.sweep(performance.now());
    if (capacity.isFull) return { pauseMs: pauseWhenBusyMs, isBusy: true };
    const look = await due.read();
    const { takes, isShort } = chooseTakes(look, lanes, capacity, clock.now());
    if (takes.length > 0) {
      state.tookMs = performance.now();
      await heartbeat.beforeTaking();
    }
    const before = state.heldCount;
    await fewAtOnce(takes, queriesAtOnce, (take) => takeSome(take, look.first));
    if (state.heldCount > before || due.mayHaveMore) return { pauseMs: pauseWhenBusyMs, isBusy: true };
    return { pauseMs: isShort ? pauseWhenShortMs : intervalMs, isBusy: isShort };
  };
}
