import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../platform/clock.ts';
import type { Db } from '../platform/database/database.ts';
import type { NamedStatements } from '../platform/database/named-statements.ts';
import { newRowId } from '../platform/ids.ts';
import { startRepeating, type Worker } from '../platform/repeat.ts';
import { EndpointSlots } from './endpoint-slots.ts';
import { nextAttemptAt } from './retry-schedule.ts';
import { type FinishedAttempt, isNewsOfFailing, saveAttempts, saveHealth } from './save-attempts.ts';
import { secretsInUse } from './secrets.ts';
import type { Sender } from './send-request.ts';
import { signatureHeaders, toBody } from './signature.ts';
import {
  type TakenDelivery,
  type TakeSize,
  takeDeliveries,
  takeSizes,
  type WaitingEndpoint,
  waitingEndpoints,
} from './take-deliveries.ts';
import {
  type DeliveryKey,
  heartbeatMs,
  release,
  releaseOrphans,
  resign,
  stayAlive,
  takenBy,
} from './worker-lease.ts';

export interface DeliveryOptions {
  db: Db;
  statements: NamedStatements;
  sender: Sender;
  clock: Clock;
  /** Time between two looks for deliveries, when none are due. */
  intervalMs: number;
  /** Deliveries that this process has taken at once. */
  maxTaken: number;
  /** @param secondsSinceEvent for a first attempt that delivered; null otherwise */
  onAttempt(isDelivered: boolean, secondsSinceEvent: number | null): void;
  onSwitchedOff(): void;
  onError(error: unknown): void;
}

/** What this process keeps of an endpoint while it has something to do for it. */
interface Lane {
  slots: EndpointSlots;
  /** Taken, and waiting for a slot. */
  queue: (TakenDelivery & { takenMs: number })[];
  /** A failure was saved since the last delivery: those under way when they were taken did not know of it. */
  hasFailed: boolean;
}

/** So many deliveries of each of a publisher's endpoints. */
interface Wanted {
  publisherId: string;
  size: TakeSize;
  endpointIds: string[];
  /** When the first of them fell due. */
  dueAt: Date;
}

/** The share of `maxTaken` for endpoints that have not delivered lately: the rest is for those that do. */
const unprovenShare = 0.75;
const endpointsAtOnce = 5_000;
const queriesAtOnce = 4;
const pauseWhenBusyMs = 5;
const lookEveryMs = 50;
/** What was taken longer ago is taken anew. */
const staleAfterMs = 2_000;
/** What counts as new where there is a backlog. */
const freshMs = 10_000;
const saveEveryMs = 15;
const savedAtOnce = 500;
const saveAttemptsMost = 10;
const lookForLostMs = 5_000;
const patienceAtStopMs = 3_000;
const maxLanes = 20_000;

/**
 * Delivers for as long as the process runs. What each endpoint can rely on: it is sent what is due whatever
 * others do; a delivery is taken by one worker at a time, and goes on with another when that one dies.
 */
export function startDelivery(options: DeliveryOptions): Worker {
  const delivery = new Delivery(options);
  const workers = [
    startRepeating(() => delivery.live(), options.onError),
    startRepeating(() => delivery.take(), options.onError),
    startRepeating(() => delivery.save(), options.onError),
  ];
  return {
    async stop() {
      const [living, taking, saving] = workers;
      await taking?.stop();
      await delivery.finish();
      await Promise.all([living?.stop(), saving?.stop()]);
      await delivery.resign().catch(options.onError);
    },
  };
}

class Delivery {
  readonly #options: DeliveryOptions;
  readonly #workerId = newRowId();
  readonly #lanes = new Map<string, Lane>();
  /** All that is taken, until its end is saved. */
  readonly #taken = new Map<string, DeliveryKey>();
  readonly #unsaved = new Map<string, FinishedAttempt[]>();
  readonly #stopping = new AbortController();
  #unproven = 0;
  #isAlive = false;
  #goOnAfter: WaitingEndpoint | null = null;
  #lookedMs = Number.NEGATIVE_INFINITY;
  /** Endpoints that had as much due as was asked for, so may have more. */
  readonly #unfinished = new Map<string, WaitingEndpoint>();
  #looksForNew = false;
  #lookedForLostMs = performance.now();
  #failedSaves = 0;

  constructor(options: DeliveryOptions) {
    this.#options = options;
  }

  async live(): Promise<number> {
    await stayAlive(this.#options.db, this.#workerId);
    this.#isAlive = true;
    await releaseOrphans(this.#options.db);
    return heartbeatMs;
  }

  /** Takes what is due and has room, and starts sending it. */
  async take(): Promise<number> {
    if (!this.#isAlive) return pauseWhenBusyMs; // what it took would be an orphan's
    const { statements, clock, intervalMs, maxTaken } = this.#options;
    if (performance.now() - this.#lookedForLostMs > lookForLostMs) await this.#releaseLost();
    if (this.#taken.size >= maxTaken) return pauseWhenBusyMs;
    const { endpoints, first } = await this.#look();
    const wanted = this.#choose(endpoints, clock.now());
    const before = this.#taken.size;
    await inTurns([...wanted.values()], queriesAtOnce, async ({ publisherId, size, endpointIds, dueAt }) => {
      const now = clock.now();
      const from = first === 'oldest' ? dueAt : new Date(Math.max(+dueAt, +now - freshMs));
      const worker = this.#workerId;
      const taken = await takeDeliveries(
        statements,
        worker,
        publisherId,
        endpointIds,
        size,
        from,
        now,
        first,
      );
      for (const delivery of taken) this.#enqueue(delivery);
      if (first === 'oldest') this.#keepUnfinished(publisherId, endpointIds, size, taken);
    });
    const isBusy = this.#taken.size > before || this.#unfinished.size > 0 || this.#goOnAfter !== null;
    return isBusy ? pauseWhenBusyMs : intervalMs;
  }

  /**
   * Endpoints that may have something due: those of a look at the database, which costs something, now and then;
   * in between those that had more than was taken of them. Every other look is for what is new, so that a backlog
   * does not keep it waiting.
   */
  async #look(): Promise<{ endpoints: WaitingEndpoint[]; first: 'oldest' | 'newest' }> {
    const nowMs = performance.now();
    if (nowMs - this.#lookedMs < lookEveryMs)
      return { endpoints: [...this.#unfinished.values()], first: 'oldest' };
    this.#lookedMs = nowMs;
    const endpoints = await waitingEndpoints(this.#options.db, this.#goOnAfter, endpointsAtOnce);
    this.#goOnAfter = endpoints.length === endpointsAtOnce ? (endpoints.at(-1) ?? null) : null;
    this.#looksForNew = !this.#looksForNew;
    if (!this.#looksForNew) this.#unfinished.clear(); // they are among those found
    return { endpoints, first: this.#looksForNew ? 'newest' : 'oldest' };
  }

  /** An endpoint that had as much as was asked for may have more, due no earlier than the last of it. */
  #keepUnfinished(
    publisherId: string,
    endpointIds: readonly string[],
    size: TakeSize,
    taken: readonly TakenDelivery[],
  ): void {
    const byEndpoint = Map.groupBy(taken, (delivery) => delivery.endpointId);
    for (const endpointId of endpointIds) {
      const name = `${publisherId}/${endpointId}`;
      const own = byEndpoint.get(endpointId) ?? [];
      const lastMs = own.reduce((last, { dueAt }) => Math.max(last, dueAt.getTime()), 0);
      if (own.length < size) this.#unfinished.delete(name);
      else this.#unfinished.set(name, { publisherId, endpointId, dueAt: new Date(lastMs) });
    }
  }

  /** How much to take of which endpoints: the longest due first, within each one's slots and what is left of ours. */
  #choose(waiting: readonly WaitingEndpoint[], now: Date): Map<string, Wanted> {
    const { maxTaken } = this.#options;
    const nowMs = performance.now();
    const wanted = new Map<string, Wanted>();
    let room = maxTaken - this.#taken.size;
    let unprovenRoom = Math.floor(maxTaken * unprovenShare) - this.#unproven;
    const due = waiting.filter(({ dueAt }) => dueAt <= now);
    for (const { publisherId, endpointId, dueAt } of due.sort((one, other) => +one.dueAt - +other.dueAt)) {
      const { slots, queue } = this.#lane(publisherId, endpointId);
      const fair = fairShare(room, slots.inFlight + queue.length);
      const most = slots.isProven ? fair : Math.min(fair, unprovenRoom);
      const count = Math.min(most, slots.wanted(queue.length, nowMs));
      const size = takeSizes.find((each) => each <= count);
      if (size === undefined) continue;
      room -= size;
      if (!slots.isProven) unprovenRoom -= size;
      const name = size === 1 ? publisherId : `${publisherId}/${endpointId}`; // one takes of many, or many of one
      const alike = wanted.get(name) ?? { publisherId, size, endpointIds: [], dueAt };
      alike.endpointIds.push(endpointId);
      wanted.set(name, alike);
    }
    return wanted;
  }

  #lane(publisherId: string, endpointId: string): Lane {
    const name = `${publisherId}/${endpointId}`;
    let lane = this.#lanes.get(name);
    if (lane === undefined) {
      if (this.#lanes.size >= maxLanes) this.#forgetIdleLanes();
      lane = { slots: new EndpointSlots(), queue: [], hasFailed: false };
      this.#lanes.set(name, lane);
    }
    return lane;
  }

  #forgetIdleLanes(): void {
    for (const [name, { slots, queue }] of this.#lanes)
      if (slots.inFlight === 0 && queue.length === 0) this.#lanes.delete(name);
  }

  #enqueue(delivery: TakenDelivery): void {
    this.#taken.set(nameOf(delivery), delivery);
    const lane = this.#lane(delivery.publisherId, delivery.endpointId);
    lane.queue.push({ ...delivery, takenMs: performance.now() });
    this.#sendNext(lane);
  }

  #sendNext(lane: Lane): void {
    while (lane.slots.free(performance.now()) > 0) {
      const [delivery] = lane.queue;
      if (delivery === undefined) return;
      // Its endpoint may have been changed since it was taken: off, elsewhere, another secret.
      if (performance.now() - delivery.takenMs > staleAfterMs) {
        void this.#giveBack(lane).catch(this.#options.onError);
        return;
      }
      lane.queue.shift();
      void this.#send(lane, delivery).catch(this.#options.onError);
    }
  }

  async #send(lane: Lane, delivery: TakenDelivery): Promise<void> {
    const { sender, clock, onAttempt } = this.#options;
    const wasProven = lane.slots.isProven;
    if (!wasProven) this.#unproven += 1;
    lane.slots.sent(performance.now());
    const body = toBody(delivery);
    const sentAt = clock.now();
    const headers = signatureHeaders(delivery, body, secretsInUse(delivery, sentAt), sentAt);
    const attempt = await sender.send(delivery.url, headers, body, this.#stopping.signal);
    const isDelivered = attempt.statusCode === 200;
    if (!wasProven) this.#unproven -= 1;
    lane.slots.answered(isDelivered, performance.now());
    if (this.#stopping.signal.aborted && !isDelivered) return; // given up by us: it stays as it was

    const now = clock.now();
    const next = isDelivered
      ? null
      : nextAttemptAt(delivery.tries + 1, now, attempt.retryAfterMs, Math.random());
    const outcome = isDelivered ? 'Delivered' : next === null ? 'Failed' : 'Pending';
    const ended = this.#unsaved.get(delivery.publisherId) ?? [];
    ended.push({
      ...attempt,
      endpointId: delivery.endpointId,
      eventId: delivery.eventId,
      outcome,
      nextAttemptAt: next,
    });
    this.#unsaved.set(delivery.publisherId, ended);
    onAttempt(
      isDelivered,
      isDelivered && delivery.tries === 0 ? (now.getTime() - delivery.createdAt.getTime()) / 1_000 : null,
    );
    if (isDelivered) this.#sendNext(lane);
    else await this.#giveBack(lane);
    await this.#saveHealth(lane, delivery, isDelivered, now);
  }

  /** What waits for an endpoint that has failed may as well wait in the database. */
  async #giveBack(lane: Lane): Promise<void> {
    const waiting = lane.queue.splice(0);
    if (waiting.length === 0) return;
    // First, so that what is taken anew is not forgotten, and what could not be released is found to be lost.
    for (const delivery of waiting) this.#taken.delete(nameOf(delivery));
    await release(this.#options.db, this.#workerId, waiting);
  }

  async #saveHealth(lane: Lane, delivery: TakenDelivery, isDelivered: boolean, now: Date): Promise<void> {
    const { db, onSwitchedOff } = this.#options;
    const { publisherId, endpointId, failingSince } = delivery;
    if (isDelivered ? failingSince === null && !lane.hasFailed : !isNewsOfFailing(failingSince, now)) return;
    lane.hasFailed = !isDelivered;
    const health = isDelivered ? 'delivered' : 'failed';
    if (await saveHealth(db, publisherId, endpointId, health, now)) onSwitchedOff();
  }

  /** Saves what has ended since the last time, publisher by publisher. */
  async save(): Promise<number> {
    const { statements, onError } = this.#options;
    const batches = [...this.#unsaved].flatMap(([publisherId, ended]) => {
      this.#unsaved.delete(publisherId);
      return chunks(ended, savedAtOnce).map((chunk) => ({ publisherId, chunk }));
    });
    let hasFailed = false;
    await inTurns(batches, queriesAtOnce, async ({ publisherId, chunk }) => {
      try {
        await saveAttempts(statements, this.#workerId, publisherId, chunk);
      } catch (error) {
        onError(error);
        hasFailed = true;
        if (this.#failedSaves < saveAttemptsMost) {
          this.#unsaved.set(publisherId, [...chunk, ...(this.#unsaved.get(publisherId) ?? [])]);
          return;
        }
      }
      // Saved, or given up: then it is found to be lost, and is sent again.
      for (const each of chunk) this.#taken.delete(nameOf({ publisherId, ...each }));
    });
    this.#failedSaves = hasFailed ? this.#failedSaves + 1 : 0;
    return hasFailed ? 500 : saveEveryMs;
  }

  /** Gives back what the database says is ours and we do not know of. Never beside a take, whose answer is under way. */
  async #releaseLost(): Promise<void> {
    const { db } = this.#options;
    this.#lookedForLostMs = performance.now();
    const lost = (await takenBy(db, this.#workerId)).filter((each) => !this.#taken.has(nameOf(each)));
    await release(db, this.#workerId, lost);
  }

  /** Lets what is under way end, for a moment; then gives it up, to be sent by others. */
  async finish(): Promise<void> {
    const deadlineMs = performance.now() + patienceAtStopMs;
    for (const lane of this.#lanes.values()) lane.queue.length = 0;
    const inFlight = (): number =>
      [...this.#lanes.values()].reduce((sum, { slots }) => sum + slots.inFlight, 0);
    while (inFlight() > 0 && performance.now() < deadlineMs) await sleep(pauseWhenBusyMs);
    this.#stopping.abort();
    while (inFlight() > 0) await sleep(pauseWhenBusyMs);
  }

  async resign(): Promise<void> {
    await this.save();
    await resign(this.#options.db, this.#workerId);
  }
}

/**
 * How much more an endpoint may have in hand: all in all an eighth of what is free, and always one. So however many
 * begin to hang at once, with all the requests they were trusted with, something is left for the next.
 */
const fairShare = (room: number, inHand: number): number =>
  Math.min(room, Math.max(1, Math.floor(room / 8)) - inHand);

const nameOf = ({ publisherId, endpointId, eventId }: DeliveryKey): string =>
  `${publisherId}/${endpointId}/${eventId}`;

function chunks<Item>(items: readonly Item[], size: number): Item[][] {
  const found: Item[][] = [];
  for (let start = 0; start < items.length; start += size) found.push(items.slice(start, start + size));
  return found;
}

/** Works on all items, a few at a time. When one fails, it fails once nothing is under way any more. */
async function inTurns<Item>(
  items: Item[],
  atOnce: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  const lane = async (): Promise<void> => {
    for (const item of rest) await work(item);
  };
  const lanes = await Promise.allSettled(Array.from({ length: Math.min(atOnce, items.length) }, lane));
  for (const ended of lanes) if (ended.status === 'rejected') throw ended.reason;
}
