import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { WaitingWork } from '../../platform/work/poll-for-work.ts';
import { type RestingWorker, startRepeating, startWhenWoken } from '../../platform/work/repeat.ts';
import type { DeliveryOptions } from './delivery-options.ts';
import { DeliveryState } from './delivery-state.ts';
import { createEndedSaver } from './send/save-ended.ts';
import { createTakenSender } from './send/send-taken.ts';
import { endpointsAtOnce } from './take/due-endpoints.ts';
import { Heartbeat } from './take/heartbeat.ts';
import { createTaker } from './take/take-due.ts';
import { areDeliveriesDue } from './take/waiting-endpoints.ts';
import { areDeliveriesLost, endLease } from './take/worker-lease.ts';

const patienceAtStopMs = 3_000;
const minPatienceMs = 5_000;
const stopPollMs = 5;

/**
 * Starts the delivery worker with three loops: one takes and sends deliveries, one is the heartbeat, and one saves
 * ended attempts. An endpoint receives its due deliveries regardless of other endpoints. Only one worker at a time
 * holds a delivery. If a worker dies, another worker continues its deliveries.
 */
export function startDelivery(options: DeliveryOptions): RestingWorker & WaitingWork {
  const { db, clock, isSpread, onError } = options;
  const state = new DeliveryState(options.maxTaken, options.minPatienceMs ?? minPatienceMs);
  const heartbeat = new Heartbeat(db, state);
  const saveEnded = createEndedSaver(options, state);
  const takeDue = createTaker(options, state, heartbeat, createTakenSender(options, state));
  const taking = startWhenWoken(takeDue, onError);
  const living = startRepeating(() => heartbeat.beat(), onError);
  const saving = startRepeating(saveEnded, onError);
  return {
    wake: () => taking.wake(),
    /** Condition that a delivery is due or lost. */
    waits: () =>
      sql`(${areDeliveriesDue(clock.now(), { limit: endpointsAtOnce, isSpread })} or ${areDeliveriesLost(state.workerId, state.heldCount)})`,
    async stop() {
      await taking.stop();
      await finish(state, options.patienceAtStopMs ?? patienceAtStopMs);
      await Promise.all([living.stop(), saving.stop()]);
      await saveEnded()
        .then(() => endLease(db, state.workerId))
        .catch(onError);
    },
  };
}

/**
 * Waits briefly for requests in progress, then cancels the rest. Other workers send the canceled deliveries again.
 */
async function finish(state: DeliveryState, patienceMs: number): Promise<void> {
  const deadlineMs = performance.now() + patienceMs;
  for (const lane of state.lanes.all()) lane.queue.length = 0;
  while (state.capacity.underWay > 0 && performance.now() < deadlineMs) await sleep(stopPollMs);
  state.isGivingUp = true;
  state.capacity.giveUpAll();
  while (state.capacity.underWay > 0) await sleep(stopPollMs);
}
