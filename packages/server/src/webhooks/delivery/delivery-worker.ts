import { setTimeout as sleep } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { NamedStatements } from '../../platform/database/connections/named-statements.ts';
import type { Db } from '../../platform/database/database.ts';
import type { FairShares } from '../../platform/fair-shares.ts';
import { newRowId } from '../../platform/ids.ts';
import type { WaitingWork } from '../../platform/look-for-work.ts';
import { OperatorError } from '../../platform/operator-error.ts';
import { type RestingWorker, type Round, startRepeating, startWhenWoken } from '../../platform/repeat.ts';
import type { Sealer } from '../../platform/secrets/sealer.ts';
import { secretsInUse } from '../endpoints/secrets.ts';
import { chooseTakes, type Take } from './choose-takes.ts';
import { DeliveryRoom, hangingAfterMs, type InHand } from './delivery-room.ts';
import { DueEndpoints, endpointsAtOnce, type Look } from './due-endpoints.ts';
import { EndpointLanes, type Lane, type Queued } from './endpoint-lanes.ts';
import { nextAttemptAt } from './retry-schedule.ts';
import { type FinishedAttempt, isNewsOfFailing, saveAttempts, saveHealth } from './save-attempts.ts';
import type { Attempt, Sender } from './send-request.ts';
import { signatureHeaders, toBody } from './signature.ts';
import { areDeliveriesDue, type TakenDelivery, takeDeliveries } from './take-deliveries.ts';
import {
  areDeliveriesLost,
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
  sealer: Sealer;
  clock: Clock;
  /** Time between two looks for deliveries of its own, while there have been some lately. */
  intervalMs: number;
  /** Deliveries that this process has taken at once; beside them twice as many may hang. */
  maxTaken: number;
  /** When more hang than that, the longest ones end early, but none before this; 5 s when absent. */
  leastPatienceMs?: number;
  /** How long requests under way may take when it stops; 3 s when absent. */
  patienceAtStopMs?: number;
  /** @param secondsSinceEvent for a first attempt that delivered; null otherwise */
  onAttempt(isDelivered: boolean, secondsSinceEvent: number | null): void;
  onSwitchedOff(): void;
  onError(error: unknown): void;
}

const queriesAtOnce = 4;
const pauseWhenBusyMs = 5;
const pauseWhenShortMs = 50;
/** What was taken longer ago is taken anew. */
const staleAfterMs = 2_000;
/** What counts as new where there is a backlog. */
const freshMs = 10_000;
const saveEveryMs = 15;
const savedAtOnce = 500;
const saveAttemptsMost = 10;
const patienceAtStopMs = 3_000;
const leastPatienceMs = 5_000;
/** It has said so by then, before it takes anything: half of what others wait for before they take it for dead. */
const restMs = 4_000;

/**
 * Delivers for as long as the process runs. What each endpoint can rely on: it is sent what is due whatever
 * others do; a delivery is taken by one worker at a time, and goes on with another when that one dies.
 */
export function startDelivery(options: DeliveryOptions): RestingWorker & WaitingWork {
  const delivery = new Delivery(options);
  const taking = startWhenWoken(() => delivery.take(), options.onError);
  const living = startRepeating(() => delivery.live(), options.onError);
  const saving = startRepeating(() => delivery.save(), options.onError);
  return {
    wake: () => taking.wake(),
    waits: () => delivery.waits(),
    async stop() {
      await taking.stop();
      await delivery.finish();
      await Promise.all([living.stop(), saving.stop()]);
      await delivery.resign().catch(options.onError);
    },
  };
}

class Delivery {
  readonly #options: DeliveryOptions;
  readonly #workerId = newRowId();
  readonly #room: DeliveryRoom;
  readonly #due: DueEndpoints;
  readonly #lanes = new EndpointLanes();
  /** All that is taken, until its end is saved. */
  readonly #taken = new Map<string, InHand>();
  readonly #unsaved = new Map<string, FinishedAttempt[]>();
  #isStopping = false;
  #livedMs = Number.NEGATIVE_INFINITY;
  #tookMs = Number.NEGATIVE_INFINITY;
  #lookedAfterOthersMs = Number.NEGATIVE_INFINITY;
  #failedSaves = 0;

  constructor(options: DeliveryOptions) {
    this.#options = options;
    this.#room = new DeliveryRoom(options.maxTaken, options.leastPatienceMs ?? leastPatienceMs);
    this.#due = new DueEndpoints(options.db);
  }

  /** Whether something is due, or in nobody's hands. */
  waits(): RawBuilder<unknown> {
    const now = this.#options.clock.now();
    return sql`(${areDeliveriesDue(now, endpointsAtOnce)} or ${areDeliveriesLost(this.#workerId, this.#taken.size)})`;
  }

  /** While it delivers it says that it lives, so that nobody else takes what it has, and looks for those that do not. */
  async live(): Promise<number> {
    if (this.#taken.size > 0 || performance.now() - this.#tookMs < heartbeatMs) {
      await this.#sayAlive(heartbeatMs / 2);
      await releaseOrphans(this.#options.db);
    }
    return heartbeatMs;
  }

  async #sayAlive(unlessSinceMs: number): Promise<void> {
    const saidMs = performance.now();
    if (saidMs - this.#livedMs < unlessSinceMs) return;
    await stayAlive(this.#options.db, this.#workerId);
    this.#livedMs = saidMs;
  }

  /** Takes what is due and has room, and starts sending it. */
  async take(): Promise<Round> {
    const { clock, intervalMs } = this.#options;
    await this.#lookAfterOthers();
    this.#room.sweep(performance.now());
    if (this.#room.isFull) return { pauseMs: pauseWhenBusyMs, isBusy: true };
    const look = await this.#due.look();
    const { takes, isShort } = chooseTakes(look, this.#lanes, this.#room, clock.now());
    if (takes.length > 0) {
      this.#tookMs = performance.now();
      await this.#sayAlive(restMs); // or what it takes were an orphan's
    }
    const before = this.#taken.size;
    await inTurns(takes, queriesAtOnce, (take) => this.#takeSome(take, look.first));
    if (this.#taken.size > before || this.#due.mayHaveMore) return { pauseMs: pauseWhenBusyMs, isBusy: true };
    return { pauseMs: isShort ? pauseWhenShortMs : intervalMs, isBusy: isShort };
  }

  async #takeSome(
    { publisherId, size, endpointIds, dueAt, shares }: Take,
    first: Look['first'],
  ): Promise<void> {
    const { statements, clock } = this.#options;
    const now = clock.now();
    const from = first === 'oldest' ? dueAt : new Date(Math.max(+dueAt, +now - freshMs));
    const worker = this.#workerId;
    let taken: TakenDelivery[] = [];
    try {
      taken = await takeDeliveries(statements, worker, publisherId, endpointIds, size, from, now, first);
      for (const delivery of taken) this.#enqueue(delivery, shares);
    } finally {
      this.#room.giveBack(publisherId, size * endpointIds.length - taken.length, shares);
    }
    if (first === 'oldest') this.#due.keepUnfinished(publisherId, endpointIds, size, taken);
  }

  #enqueue(delivery: TakenDelivery, shares: readonly FairShares[]): void {
    const { publisherId, endpointId, eventId } = delivery;
    const giveUp = new AbortController();
    const inHand = { publisherId, endpointId, eventId, shares: [...shares], sentMs: null, giveUp };
    this.#taken.set(nameOf(delivery), inHand);
    const lane = this.#lanes.of(publisherId, endpointId);
    lane.queue.push({ delivery, inHand, takenMs: performance.now() });
    this.#sendNext(lane);
  }

  #sendNext(lane: Lane): void {
    while (lane.slots.free(performance.now()) > 0) {
      const [next] = lane.queue;
      if (next === undefined) return;
      // Its endpoint may have been changed since it was taken: off, elsewhere, another secret.
      if (performance.now() - next.takenMs > staleAfterMs) {
        void this.#giveBack(lane).catch(this.#options.onError);
        return;
      }
      lane.queue.shift();
      void this.#send(lane, next).catch(this.#options.onError);
    }
  }

  async #send(lane: Lane, { delivery, inHand }: Queued): Promise<void> {
    const { clock, onAttempt } = this.#options;
    const startedMs = performance.now();
    lane.slots.sent(startedMs);
    this.#room.sent(inHand, startedMs);
    const attempt = await this.#attempt(delivery, inHand.giveUp.signal);
    const isDelivered = attempt.statusCode === 200;
    const endedMs = performance.now();
    lane.slots.answered(isDelivered, endedMs, endedMs - startedMs > hangingAfterMs);
    this.#room.answered(inHand);
    if (this.#isStopping && inHand.giveUp.signal.aborted && !isDelivered) return; // given up by us: it stays as it was

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

  /** Signed as of now. A secret that cannot be opened is a failed attempt: its key may be given to the next one. */
  async #attempt(delivery: TakenDelivery, giveUp: AbortSignal): Promise<Attempt> {
    const { sender, sealer, clock } = this.#options;
    const sentAt = clock.now();
    const body = toBody(delivery);
    let headers: Record<string, string>;
    try {
      headers = signatureHeaders(delivery, body, secretsInUse(delivery, sealer, sentAt), sentAt);
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      return {
        startedAt: sentAt,
        durationMs: 0,
        statusCode: null,
        error: error.message,
        answer: Buffer.alloc(0),
        retryAfterMs: null,
      };
    }
    return sender.send(delivery.url, headers, body, giveUp);
  }

  /** What waits for an endpoint that has failed may as well wait in the database. */
  async #giveBack(lane: Lane): Promise<void> {
    const waiting = lane.queue.splice(0);
    if (waiting.length === 0) return;
    // First, so that what is taken anew is not forgotten, and what could not be released is found to be lost.
    for (const { delivery } of waiting) this.#forget(delivery);
    const deliveries = waiting.map(({ delivery }) => delivery);
    await release(this.#options.db, this.#workerId, deliveries);
  }

  #forget(key: DeliveryKey): void {
    const name = nameOf(key);
    const inHand = this.#taken.get(name);
    if (inHand !== undefined) this.#room.forget(inHand);
    this.#taken.delete(name);
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
      for (const each of chunk) this.#forget({ publisherId, ...each });
    });
    this.#failedSaves = hasFailed ? this.#failedSaves + 1 : 0;
    return hasFailed ? 500 : saveEveryMs;
  }

  /**
   * Frees what dead workers had, and gives back what the database says is ours and we do not know of. Never beside a
   * take, whose answer is under way.
   */
  async #lookAfterOthers(): Promise<void> {
    const { db } = this.#options;
    const nowMs = performance.now();
    if (nowMs - this.#lookedAfterOthersMs < restMs) return;
    this.#lookedAfterOthersMs = nowMs;
    if (this.#taken.size === 0) await releaseOrphans(db); // else that is done beside
    const lost = (await takenBy(db, this.#workerId)).filter((each) => !this.#taken.has(nameOf(each)));
    await release(db, this.#workerId, lost);
  }

  /** Lets what is under way end, for a moment; then gives it up, to be sent by others. */
  async finish(): Promise<void> {
    const deadlineMs = performance.now() + (this.#options.patienceAtStopMs ?? patienceAtStopMs);
    for (const lane of this.#lanes.all()) lane.queue.length = 0;
    while (this.#room.underWay > 0 && performance.now() < deadlineMs) await sleep(pauseWhenBusyMs);
    this.#isStopping = true;
    this.#room.giveUpAll();
    while (this.#room.underWay > 0) await sleep(pauseWhenBusyMs);
  }

  async resign(): Promise<void> {
    await this.save();
    await resign(this.#options.db, this.#workerId);
  }
}

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
