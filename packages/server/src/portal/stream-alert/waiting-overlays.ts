import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { timeOfRowId } from '../../platform/ids.ts';
import { Refusal, unavailable } from '../../platform/refusal.ts';
import { fewAtOnce } from '../../platform/work/few-at-once.ts';
import { type AlertCursor, advance, markOf, markOfTest, writeCursor } from './alert-cursor.ts';
import { type AlertSettings, addressEnded } from './alerts.ts';
import { type FoundAlert, findAlert, hashOfHeader, isSeenLongAgo, keyOf, readAlerts } from './find-alert.ts';
import { type NewPurchase, readNewPurchases } from './read-new-purchases.ts';

/** Time from one round to the next. A round reads once per publisher, however many overlays are waiting. */
const roundEveryMs = 1_000;
/** Maximum time for which an overlay that is showing purchases gets no further ones. */
const maxBusyMs = 10_000;
/** Time for which the stream alerts that a round has read are used for the next requests. */
const foundMs = 2_000;
/** Time after which a request gets a response without purchases. Proxies cut connections that are silent for 60 seconds. */
const waitMs = 20_000;
/** Maximum number of waiting requests with the same secret: a page may be in several scenes. */
const maxPerSecret = 3;
const maxPerPublisher = 500;
/** More than a publisher may have, so that others always have some. */
const maxPerProcess = 600;
/** Maximum number of purchases per response. An overlay couldn't show more in a minute. */
const maxShown = 20;
/** Number of publishers that are read at the same time. */
const publishersAtOnce = 4;

/** Purchase, or a test of one, that an overlay shows. */
export interface ShownPurchase {
  id: string;
  product: string;
  /** Code that was used; null for a test. */
  code: string | null;
}

export interface NewlyRecorded {
  /** Oldest first. */
  purchases: ShownPurchase[];
  /** Number of further purchases, older than these. */
  more: number;
  cursor: string;
  settings: AlertSettings;
}

interface Waiting {
  alert: FoundAlert;
  cursor: AlertCursor;
  /** Time until which the overlay is showing what it has. */
  busyUntilMs: number;
  endsAtMs: number;
  resolve(found: NewlyRecorded): void;
  reject(error: unknown): void;
}

/**
 * Requests of overlays that wait for purchases. While there are any, the process reads the new purchases of their publishers in
 * rounds. No purchase is queued: an overlay's cursor says what it doesn't have yet, so a slow overlay costs no memory.
 */
export class WaitingOverlays {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #waiting = new Set<Waiting>();
  readonly #stopping = new AbortController();
  #isRunning = false;
  #lastRoundMs = Number.NEGATIVE_INFINITY;
  /** Stream alerts of the overlays that were waiting in the last round. */
  #found: ReadonlyMap<string, FoundAlert> = new Map();

  /** @param db connections for work outside of requests, because a round belongs to no single request */
  constructor(db: Db, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /**
   * Returns the stream alert of an overlay whose previous request just ended, so that the next one needs no read of its own. If its
   * secret was replaced since, the next round rejects it. Otherwise reads it from the database.
   * @throws Refusal Unauthorized
   */
  async find(lookups: Db, authorization: string | undefined): Promise<FoundAlert> {
    const secretHash = hashOfHeader(authorization);
    const now = this.#clock.now();
    const found = this.#found.get(keyOf(secretHash));
    const isRecent = performance.now() - this.#lastRoundMs < foundMs;
    return isRecent && found && !isSeenLongAgo(found, now) ? found : findAlert(lookups, secretHash, now);
  }

  /**
   * Waits for purchases after the cursor, for up to 20 seconds. An overlay that just received purchases, and is therefore showing the
   * first of them, gets the next ones together when it has shown that one.
   * @param gone aborted when the client has disconnected
   * @throws Refusal RateLimited, Unavailable if too many requests are waiting; Unauthorized if the secret was replaced
   */
  wait(alert: FoundAlert, cursor: AlertCursor, gone: AbortSignal): Promise<NewlyRecorded> {
    this.#requireRoom(alert);
    const { promise, resolve, reject } = Promise.withResolvers<NewlyRecorded>();
    const nowMs = performance.now();
    const waiting: Waiting = {
      alert,
      cursor,
      busyUntilMs: nowMs + (cursor.seen.size === 0 ? 0 : busyMs(alert.settings)),
      endsAtMs: nowMs + waitMs,
      resolve: (found) => {
        this.#waiting.delete(waiting);
        resolve(found);
      },
      reject: (error) => {
        this.#waiting.delete(waiting);
        reject(error);
      },
    };
    if (gone.aborted || this.#stopping.signal.aborted) {
      waiting.resolve(nothing(waiting));
      return promise;
    }
    gone.addEventListener('abort', () => waiting.resolve(nothing(waiting)), { once: true });
    this.#waiting.add(waiting);
    if (!this.#isRunning) void this.#run();
    return promise;
  }

  /** Ends all waiting requests, so that the service can stop. Later requests don't wait. */
  stop(): void {
    this.#stopping.abort();
    for (const waiting of this.#waiting) waiting.resolve(nothing(waiting));
  }

  #requireRoom({ publisherId, secretHash }: FoundAlert): void {
    if (this.#waiting.size >= maxPerProcess)
      throw unavailable('Too many stream alerts are connected. Try again in a few seconds.');
    let [ofSecret, ofPublisher] = [0, 0];
    for (const { alert } of this.#waiting) {
      if (alert.publisherId === publisherId) ofPublisher += 1;
      if (alert.secretHash.equals(secretHash)) ofSecret += 1;
    }
    if (ofSecret >= maxPerSecret)
      throw full(`This stream alert is already open ${maxPerSecret} times. Close one of them.`);
    if (ofPublisher >= maxPerPublisher)
      throw full('Too many stream alerts of this publisher are open. Try again in a few seconds.');
  }

  /** Runs rounds until no request is waiting. Never throws. */
  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.size > 0) {
      const pauseMs = this.#lastRoundMs + roundEveryMs - performance.now();
      if (pauseMs > 0)
        await sleep(pauseMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
      const waiting = [...this.#waiting];
      this.#lastRoundMs = performance.now();
      await this.#round(waiting).catch((error: unknown) => rejectAll(waiting, error));
    }
    this.#isRunning = false;
  }

  async #round(waiting: readonly Waiting[]): Promise<void> {
    if (waiting.length === 0) return;
    const hashes = new Map(waiting.map(({ alert }) => [keyOf(alert.secretHash), alert.secretHash]));
    const alerts = await readAlerts(this.#db, [...hashes.values()]);
    this.#found = alerts;
    const live: Waiting[] = [];
    for (const each of waiting) {
      const alert = alerts.get(keyOf(each.alert.secretHash));
      if (alert === undefined) each.reject(addressEnded());
      else {
        each.alert = alert; // the settings or the time of the test may have changed
        live.push(each);
      }
    }
    const idle = live.filter(({ busyUntilMs }) => busyUntilMs <= performance.now());
    const byPublisher = Map.groupBy(idle, ({ alert }) => alert.publisherId);
    await fewAtOnce([...byPublisher], publishersAtOnce, async ([publisherId, ofPublisher]) => {
      await this.#answer(publisherId, ofPublisher).catch((error: unknown) => rejectAll(ofPublisher, error));
    });
  }

  /** Reads the new purchases of a publisher, and responds to the overlays that don't have all of theirs. */
  async #answer(publisherId: string, waiting: readonly Waiting[]): Promise<void> {
    const now = this.#clock.now();
    const fromMs = Math.min(...waiting.map(({ cursor }) => cursor.fromMs));
    const userIds = [...new Set(waiting.map(({ alert }) => alert.userId))];
    const rows = await readNewPurchases(this.#db, { publisherId, userIds, from: new Date(fromMs), now });
    const byPerson = Map.groupBy(rows, ({ userId }) => userId);
    for (const each of waiting) {
      const found = newFor(each, byPerson.get(each.alert.userId) ?? [], now);
      if (found.purchases.length > 0 || performance.now() >= each.endsAtMs) each.resolve(found);
      else each.cursor = advance(each.cursor, now);
    }
  }
}

/** Returns how long an overlay shows one purchase, less a round, so that the next one arrives in time. */
const busyMs = ({ showSeconds }: AlertSettings): number =>
  Math.min(showSeconds * 1_000, maxBusyMs) - roundEveryMs;

/** Returns the response without purchases, which leaves the cursor as it was. */
function nothing({ alert, cursor }: Waiting): NewlyRecorded {
  return { purchases: [], more: 0, cursor: writeCursor(cursor, cursor.seen), settings: alert.settings };
}

/** Returns what an overlay doesn't have yet. @param rows the person's new purchases, newest first */
function newFor({ alert, cursor }: Waiting, rows: readonly NewPurchase[], now: Date): NewlyRecorded {
  const current = rows.filter(({ attributionId }) => timeOfRowId(attributionId).getTime() >= cursor.fromMs);
  const purchases = current
    .filter(({ attributionId }) => !cursor.seen.has(markOf(attributionId)))
    .map(({ attributionId, product, code }): ShownPurchase => ({ id: markOf(attributionId), product, code }));
  const marks = current.map(({ attributionId }) => markOf(attributionId));
  const { testedAt, settings } = alert;
  if (testedAt !== null && testedAt.getTime() >= cursor.fromMs) {
    const id = markOfTest(testedAt);
    marks.push(id);
    if (!cursor.seen.has(id)) purchases.unshift({ id, product: 'Test', code: null });
  }
  return {
    purchases: purchases.slice(0, maxShown).reverse(),
    more: Math.max(0, purchases.length - maxShown),
    cursor: writeCursor(advance(cursor, now), marks),
    settings,
  };
}

function rejectAll(waiting: readonly Waiting[], error: unknown): void {
  for (const { reject } of waiting) reject(error);
}

const full = (message: string): Refusal => new Refusal('RateLimited', message, { retryAfterSeconds: 10 });
