import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { WaitingWork } from '../../platform/work/poll-for-work.ts';
import { type RestingWorker, startRepeating, startWhenWoken } from '../../platform/work/repeat.ts';
import type { DeliveryOptions } from './delivery-options.ts';
import { DeliveryState } from './delivery-state.ts';
import { savingEnded } from './send/save-ended.ts';
import { sendingTaken } from './send/send-taken.ts';
import { endpointsAtOnce } from './take/due-endpoints.ts';
import { Heartbeat } from './take/heartbeat.ts';
import { takingDue } from './take/take-due.ts';
import { areDeliveriesDue } from './take/waiting-endpoints.ts';
import { areDeliveriesLost, resign } from './take/worker-lease.ts';

const patienceAtStopMs = 3_000;
const leastPatienceMs = 5_000;
const lookWhenStoppingMs = 5;

/**
 * Delivers for as long as the process runs, in three loops: one takes and sends, one says that this worker lives, one
 * saves how attempts ended. What each endpoint can rely on: it is sent what is due whatever others do; a delivery is
 * taken by one worker at a time, and goes on with another when that one dies.
 */
export function startDelivery(options: DeliveryOptions): RestingWorker & WaitingWork {
  const { db, clock, isSpread, onError } = options;
  const state = new DeliveryState(options.maxTaken, options.leastPatienceMs ?? leastPatienceMs);
  const heartbeat = new Heartbeat(db, state);
  const saveEnded = savingEnded(options, state);
  const takeDue = takingDue(options, state, heartbeat, sendingTaken(options, state));
  const taking = startWhenWoken(takeDue, onError);
  const living = startRepeating(() => heartbeat.beat(), onError);
  const saving = startRepeating(saveEnded, onError);
  return {
    wake: () => taking.wake(),
    /** Something is due, or in nobody's hands. */
    waits: () =>
      sql`(${areDeliveriesDue(clock.now(), { limit: endpointsAtOnce, isSpread })} or ${areDeliveriesLost(state.workerId, state.inHand)})`,
    async stop() {
      await taking.stop();
      await finish(state, options.patienceAtStopMs ?? patienceAtStopMs);
      await Promise.all([living.stop(), saving.stop()]);
      await saveEnded()
        .then(() => resign(db, state.workerId))
        .catch(onError);
    },
  };
}

/** Lets what is under way end, for a moment; then gives it up, to be sent by others. */
async function finish(state: DeliveryState, patienceMs: number): Promise<void> {
  const deadlineMs = performance.now() + patienceMs;
  for (const lane of state.lanes.all()) lane.queue.length = 0;
  while (state.room.underWay > 0 && performance.now() < deadlineMs) await sleep(lookWhenStoppingMs);
  state.isGivingUp = true;
  state.room.giveUpAll();
  while (state.room.underWay > 0) await sleep(lookWhenStoppingMs);
}
