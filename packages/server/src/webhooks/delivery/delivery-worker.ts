import { setTimeout as sleep } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { fewAtOnce } from '../../platform/work/few-at-once.ts';
import type { WaitingWork } from '../../platform/work/poll-for-work.ts';
import {
  type RestingWorker,
  type Round,
  startRepeating,
  startWhenWoken,
} from '../../platform/work/repeat.ts';
import type { DeliveryOptions } from './delivery-options.ts';
import { recordFailure, recordSuccess, shouldRecordFailure } from './send/endpoint-health.ts';
import { nextAttemptAt } from './send/retry-schedule.ts';
import { type SavedAttempt, saveAttempts } from './send/save-attempts.ts';
import type { Attempt } from './send/send-request.ts';
import { startAttempt } from './send/start-attempt.ts';
import { traceDelivery } from './send/trace-attempt.ts';
import { chooseTakes, type Take } from './take/choose-takes.ts';
import { DeliveryCapacity, type HeldDelivery, hangingAfterMs } from './take/delivery-capacity.ts';
import { type Candidates, DueEndpoints, endpointsAtOnce } from './take/due-endpoints.ts';
import { EndpointLanes, type Lane, type Queued } from './take/endpoint-lanes.ts';
import { beginningOf, type TakenDelivery, takeDeliveries } from './take/take-deliveries.ts';
import { areDeliveriesDue } from './take/waiting-endpoints.ts';
import { heartbeatMs, WorkerLease } from './take/worker-lease.ts';

const queriesAtOnce = 4;
const minPatienceMs = 5_000;

const pauseWhenBusyMs = 5;
const pauseWhenShortMs = 50;
/** Maximum age at which a delivery counts as new while there is a backlog. */
const freshMs = 10_000;
/** Maximum time in the queue. After that, a delivery is released and taken again. */
const staleAfterMs = 2_000;

const checkQueuesEveryMs = 500;

const saveEveryMs = 20;
const pauseAfterFailureMs = 500;
const savedAtOnce = 500;
const maxSaveRetries = 10;

/** Maximum age of a lease for taking deliveries: half the time after which the worker counts as dead. */
const maxLeaseAgeMs = 4_000;

const patienceAtStopMs = 3_000;
const stopPollMs = 5;

/**
 * Starts the delivery worker. Endpoints receive their due deliveries independently of each other. A delivery is held by
 * only one worker at a time. If a worker dies, another one takes over its deliveries.
 */
export function startDelivery(options: DeliveryOptions): RestingWorker & WaitingWork {
  const { onError } = options;
  const worker = new DeliveryWorker(options);
  // The three loops are separate so that a slow read can't let the lease expire or delay saving results.
  const taking = startWhenWoken(() => worker.take(), onError);
  const saving = startRepeating(() => worker.save(), onError);
  const living = startRepeating(() => worker.beat(), onError);
  return {
    wake: () => taking.wake(),
    waits: () => worker.waits(),
    async stop() {
      await taking.stop();
      await worker.drain();
      await Promise.all([living.stop(), saving.stop()]);
      await worker
        .save()
        .then(() => worker.endLease())
        .catch(onError);
    },
  };
}

interface EndedAttempt extends SavedAttempt {
  readonly delivery: HeldDelivery;
}

/**
 * Worker of one process, with all deliveries that the process holds. `take` takes due deliveries and sends each
 * endpoint as many as it has slots. When an attempt ends, the next delivery is sent. `save` saves finished attempts,
 * and `beat` renews the lease.
 */
class DeliveryWorker {
  readonly #options: DeliveryOptions;
  readonly #lease: WorkerLease;
  readonly #due: DueEndpoints;
  /**
   * Capacity for held deliveries, which is reserved when deliveries are taken and released when they are removed. A
   * hanging request gives up its capacity and counts toward the limit on hanging requests.
   */
  readonly #capacity: DeliveryCapacity;
  readonly #lanes = new EndpointLanes();
  readonly #held = new Set<HeldDelivery>();
  #ended = new Map<string, EndedAttempt[]>();
  #failedSaves = 0;
  /** True while the worker is stopping. Attempts that it cancels while stopping aren't saved. */
  #isGivingUp = false;
  /** Time of the last take, from `performance.now()`. */
  #tookMs = Number.NEGATIVE_INFINITY;
  #checkedQueuesMs = Number.NEGATIVE_INFINITY;

  constructor(options: DeliveryOptions) {
    this.#options = options;
    this.#lease = new WorkerLease(options.db);
    this.#due = new DueEndpoints(options.db, options.isSpread);
    this.#capacity = new DeliveryCapacity(options.maxTaken, options.minPatienceMs ?? minPatienceMs);
  }

  async take(): Promise<Round> {
    await this.#lease.releaseLost(this.#held);
    this.#capacity.sweep(performance.now());
    this.#releaseStale();
    if (this.#capacity.isFull) return { pauseMs: pauseWhenBusyMs, isBusy: true };
    const candidates = await this.#due.read();
    const now = this.#options.clock.now();
    const { takes, isShort } = chooseTakes(candidates, this.#lanes, this.#capacity, now);
    const heldBefore = this.#held.size;
    await this.#takeAll(takes, candidates.first);
    if (this.#held.size > heldBefore || this.#due.mayHaveMore)
      return { pauseMs: pauseWhenBusyMs, isBusy: true };
    return { pauseMs: isShort ? pauseWhenShortMs : this.#options.intervalMs, isBusy: isShort };
  }

  async #takeAll(takes: readonly Take[], first: Candidates['first']): Promise<void> {
    if (takes.length === 0) return;
    this.#tookMs = performance.now();
    const waiting = new Set(takes);
    try {
      await this.#lease.renew(maxLeaseAgeMs); // without it, the deliveries would count as orphaned
      await fewAtOnce(takes, queriesAtOnce, async (take) => {
        waiting.delete(take);
        await this.#takeSome(take, first);
      });
    } finally {
      for (const { publisherId, size, endpointIds, shares } of waiting)
        this.#capacity.release(publisherId, size * endpointIds.length, shares);
    }
  }

  async #takeSome(take: Take, first: Candidates['first']): Promise<void> {
    const { publisherId, size, endpointIds, shares } = take;
    const now = this.#options.clock.now();
    const freshAt = new Date(+now - freshMs);
    const from = first === 'newest' && take.from.dueAt < freshAt ? beginningOf(freshAt) : take.from;
    const wanted = { publisherId, endpointIds, size, from, now, first };
    let taken: TakenDelivery[] = [];
    try {
      taken = await takeDeliveries(this.#options.statements, this.#lease.workerId, wanted);
      for (const delivery of taken) {
        const { endpointId, eventId } = delivery;
        const key = { publisherId, endpointId, eventId };
        const held = { ...key, shares: [...shares], sentMs: null, request: null, isGivenUp: false };
        this.#held.add(held);
        const lane = this.#lanes.of(publisherId, endpointId);
        lane.queue.push({ delivery, held, takenMs: performance.now() });
        this.#sendNext(lane);
      }
    } finally {
      this.#capacity.release(publisherId, size * endpointIds.length - taken.length, shares);
    }
    if (first === 'oldest') this.#due.updateUnfinished(publisherId, endpointIds, size, taken);
  }

  #sendNext(lane: Lane): void {
    while (lane.slots.free(performance.now()) > 0) {
      const [next] = lane.queue;
      if (next === undefined) return;
      // The endpoint may have been switched off, or its URL or secret changed, since the delivery was taken.
      if (performance.now() - next.takenMs > staleAfterMs) {
        this.#releaseQueued(lane);
        return;
      }
      lane.queue.shift();
      this.#send(lane, next);
    }
  }

  #send(lane: Lane, queued: Queued): void {
    const startedMs = performance.now();
    lane.slots.sent(startedMs);
    this.#capacity.sent(queued.held, startedMs);
    try {
      queued.held.request = startAttempt(this.#options, queued.delivery, (attempt) =>
        this.#onEnded(lane, queued, attempt),
      );
    } catch (error) {
      this.#options.onError(error);
    }
  }

  /** Enqueues a finished attempt for saving. If it succeeded, sends the endpoint's next deliveries. */
  #onEnded(lane: Lane, { delivery, held }: Queued, attempt: Attempt): void {
    const { clock, onAttempt } = this.#options;
    const isDelivered = attempt.statusCode === 200;
    held.request = null; // it holds the whole exchange, which isn't needed until the attempt is saved
    const endedMs = performance.now();
    lane.slots.answered(isDelivered, endedMs, endedMs - (held.sentMs ?? endedMs) > hangingAfterMs);
    this.#capacity.answered(held);
    if (this.#isGivingUp && held.isGivenUp && !isDelivered) return; // canceled by this process: the delivery stays pending

    const now = clock.now();
    const { publisherId, tries, createdAt } = delivery;
    const next = isDelivered ? null : nextAttemptAt(tries + 1, now, attempt.retryAfterMs, Math.random());
    const outcome = isDelivered ? 'Delivered' : next === null ? 'Failed' : 'Pending';
    this.#addEnded(publisherId, [{ delivery: held, attempt, outcome, nextAttemptAt: next }]);
    if (outcome !== 'Pending') traceDelivery(delivery, outcome, now);
    const isFirst = isDelivered && tries === 0;
    onAttempt(isDelivered, isFirst ? (now.getTime() - createdAt.getTime()) / 1_000 : null);
    if (isDelivered) this.#sendNext(lane);
    else this.#releaseQueued(lane);
    this.#updateHealth(lane, delivery, isDelivered, now);
  }

  /** Releases queued deliveries that have become stale, such as those behind requests that hang. */
  #releaseStale(): void {
    const nowMs = performance.now();
    if (nowMs - this.#checkedQueuesMs < checkQueuesEveryMs) return;
    this.#checkedQueuesMs = nowMs;
    for (const lane of this.#lanes.all()) {
      const [oldest] = lane.queue;
      if (oldest !== undefined && nowMs - oldest.takenMs > staleAfterMs) this.#releaseQueued(lane);
    }
  }

  /** Releases a failing endpoint's queued deliveries, so that they wait in the database instead. */
  #releaseQueued(lane: Lane): void {
    const waiting = lane.queue.splice(0).map(({ held }) => held);
    if (waiting.length === 0) return;
    // Remove the deliveries first, so that any that are taken again in the meantime are kept. Deliveries that can't be
    // released are later found to be lost.
    for (const held of waiting) this.#remove(held);
    this.#lease.release(waiting).catch(this.#options.onError);
  }

  #updateHealth(lane: Lane, delivery: TakenDelivery, isDelivered: boolean, at: Date): void {
    const { db, onSwitchedOff, onError } = this.#options;
    const {
      publisherId,
      endpointId,
      endpoint: { failingSince },
    } = delivery;
    if (isDelivered ? failingSince === null && !lane.hasFailed : !shouldRecordFailure(failingSince, at))
      return;
    lane.hasFailed = !isDelivered;
    const key = { publisherId, endpointId };
    if (isDelivered) recordSuccess(db, key).catch(onError);
    else
      recordFailure(db, key, at).then((isSwitchedOff) => {
        if (isSwitchedOff) onSwitchedOff();
      }, onError);
  }

  /** @returns the pause before the next round, in milliseconds */
  async save(): Promise<number> {
    const ended = this.#ended;
    this.#ended = new Map();
    const batches = [...ended].flatMap(([publisherId, attempts]) =>
      chunks(attempts, savedAtOnce).map((chunk) => ({ publisherId, chunk })),
    );
    let hasFailed = false;
    await fewAtOnce(batches, queriesAtOnce, async ({ publisherId, chunk }) => {
      try {
        await saveAttempts(this.#options.statements, this.#lease.workerId, publisherId, chunk);
      } catch (error) {
        this.#options.onError(error);
        hasFailed = true;
        if (this.#failedSaves < maxSaveRetries) {
          this.#addEnded(publisherId, chunk);
          return;
        }
      }
      // The attempts were saved or abandoned. Abandoned deliveries are later found to be lost and are resent.
      for (const { delivery } of chunk) this.#remove(delivery);
    });
    this.#failedSaves = hasFailed ? this.#failedSaves + 1 : 0;
    return hasFailed ? pauseAfterFailureMs : saveEveryMs;
  }

  /** Renews the lease while the worker holds deliveries. A worker without any doesn't write to the database. */
  async beat(): Promise<number> {
    this.#releaseStale();
    const isActive = this.#held.size > 0 || performance.now() - this.#tookMs < heartbeatMs;
    if (isActive) await this.#lease.beat();
    return heartbeatMs;
  }

  waits(): RawBuilder<unknown> {
    const { clock, isSpread } = this.#options;
    const isDue = areDeliveriesDue(clock.now(), { limit: endpointsAtOnce, isSpread });
    return sql`(${isDue} or ${this.#lease.areDeliveriesLost(this.#held.size)})`;
  }

  /** Waits briefly for requests in progress, then cancels the rest. Other workers resend the canceled deliveries. */
  async drain(): Promise<void> {
    const deadlineMs = performance.now() + (this.#options.patienceAtStopMs ?? patienceAtStopMs);
    for (const lane of this.#lanes.all()) lane.queue.length = 0;
    while (this.#capacity.underWay > 0 && performance.now() < deadlineMs) await sleep(stopPollMs);
    this.#isGivingUp = true;
    this.#capacity.giveUpAll();
    while (this.#capacity.underWay > 0) await sleep(stopPollMs);
  }

  endLease(): Promise<void> {
    return this.#lease.end();
  }

  #addEnded(publisherId: string, attempts: readonly EndedAttempt[]): void {
    const ended = this.#ended.get(publisherId);
    if (ended === undefined) this.#ended.set(publisherId, [...attempts]);
    else ended.push(...attempts);
  }

  #remove(delivery: HeldDelivery): void {
    if (this.#held.delete(delivery)) this.#capacity.remove(delivery);
  }
}

function chunks<Item>(items: readonly Item[], size: number): Item[][] {
  const found: Item[][] = [];
  for (let start = 0; start < items.length; start += size) found.push(items.slice(start, start + size));
  return found;
}
