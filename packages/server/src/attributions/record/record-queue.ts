import { leftMs } from '../../platform/database/connections/on-behalf-of.ts';
import { isUnavailable } from '../../platform/database/database-errors.ts';
import { Refusal, unavailable } from '../../platform/refusal.ts';
import { FairShares } from '../../platform/work/fair-shares.ts';
import type { AttributionRow } from '../attribution-row.ts';
import type { Purchase } from './read-entry.ts';
import {
  asRefused,
  type Batch,
  createBatchRecorder,
  type RecordBatch,
  type RecorderOptions,
  type Waiting,
} from './record-batch.ts';
import { type TracedRequest, traceWaiting } from './trace-recording.ts';

export interface RecordQueueOptions extends RecorderOptions {
  /** Commits under way at once, unless some take long. */
  lanes: number;
  maxQueuedRows: number;
}

/** Enough for the throughput to stop growing, and small enough for a commit of milliseconds. */
const maxRequestsJoined = 256;
const maxRowsJoined = 1_000;
/** A commit that takes longer, for a lock or for the disk, makes room for one of another publisher. */
const lanePatienceMs = 100;
/** Commits of so many rows take long by themselves: while there are other publishers, one lane is kept from them. */
const longRows = 250;
/**
 * Fewer requests than this wait for their publisher's commit on another lane, and are recorded together after it: a commit
 * by itself costs as much as twenty rows.
 */
const worthALane = 32;
/** So long after two publishers came in turn there are other publishers. */
const companyMs = 1_000;
/** How often it is looked whether somebody has waited for too long. */
const lookForLateMs = 200;

/**
 * Requests that arrive while a commit is under way are recorded together by the next one, so a request
 * costs one commit's time and the service many requests a commit. What each caller can rely on:
 *
 * - its promise resolves after the commit that holds its rows, or rejects when its request's time is over;
 * - its outcome is its own: a neighbor's bad code, duplicate or poison value changes nothing;
 * - a commit carries one publisher's requests; only requests about one transactionId are joined, and never
 *   two about the same one;
 * - its place is its own publisher's: rows that wait are divided by `FairShares`, and past its publisher's share
 *   a request is refused at once; the next commit is of the publisher that has fewest under way and has waited
 *   longest; no publisher has more than `lanes` under way, nor a second one for a few requests; a commit that takes long
 *   occupies no lane, and with more than one publisher there is a lane for short ones.
 */
export class RecordQueue {
  readonly #options: RecordQueueOptions;
  readonly #recordBatch: RecordBatch;
  readonly #shares: FairShares;
  /** By publisher, in the order of whose turn is next. */
  readonly #waiting = new Map<string, Waiting[]>();
  /** Commits by publisher. */
  readonly #underWay = new Map<string, number>();
  /** Those of them that have not taken long yet. */
  readonly #onLanes = new Map<string, number>();
  readonly #begun = new Set<Batch>();
  #longOnLanes = 0;
  #latestPublisherId = '';
  #companyUntilMs = 0;
  #queuedRows = 0;
  #commits = 0;
  #busyLanes = 0;
  #wakeUp: NodeJS.Immediate | null = null;
  #watch: NodeJS.Timeout | null = null;
  #onDrained: (() => void)[] = [];

  constructor(options: RecordQueueOptions) {
    this.#options = options;
    this.#recordBatch = createBatchRecorder(options);
    this.#shares = new FairShares(options.maxQueuedRows);
  }

  get queuedRows(): number {
    return this.#queuedRows;
  }

  /** Resolves when nothing waits and no commit is under way, whether or not its client still listens. */
  drained(): Promise<void> {
    if (this.#queuedRows === 0 && this.#commits === 0) return Promise.resolve();
    return new Promise((resolve) => this.#onDrained.push(resolve));
  }

  /**
   * Saves one request's purchases in one commit, all or none.
   * @returns the saved rows in the order of `purchases`
   * @throws Refusal InvalidInput for a code or a currency the group does not take, Conflict for a purchase that was saved
   *   by an earlier call, Unavailable when too much of the publisher's waits or the database did not confirm the commit in time
   */
  record(publisherId: string, groupId: string, purchases: readonly Purchase[]): Promise<AttributionRow[]> {
    const refusal = this.refusal(publisherId, purchases.length);
    if (refusal !== null) return Promise.reject(refusal);
    this.#shares.take(publisherId, purchases.length);
    if (publisherId !== this.#latestPublisherId) {
      this.#latestPublisherId = publisherId;
      this.#companyUntilMs = performance.now() + companyMs;
    }
    const endsAtMs = performance.now() + leftMs();
    this.#watch ??= setTimeout(() => this.#refuseLate(), lookForLateMs);
    return new Promise((resolve, reject) => {
      const transactionIds = new Set(purchases.map(({ transactionId }) => transactionId));
      const queue = this.#waiting.get(publisherId) ?? [];
      const traced = traceWaiting();
      const waiting = { publisherId, groupId, purchases, transactionIds, endsAtMs, traced, resolve, reject };
      queue.push(traced === null ? waiting : endingSpans(waiting, traced));
      this.#waiting.set(publisherId, queue);
      this.#queuedRows += purchases.length;
      // After this turn of the event loop, so that requests read together are recorded together.
      this.#wakeUp ??= setImmediate(() => {
        this.#wakeUp = null;
        this.#fillLanes();
      });
    });
  }

  /** @returns what `record` would refuse so many rows of a publisher with, or null when there is room now */
  refusal(publisherId: string, rows: number): Refusal | null {
    if (this.#shares.mayTake(publisherId, rows)) return null;
    this.#options.metrics.refusedRequests.inc({ reason: 'record_queue' });
    return tooMany();
  }

  #fillLanes(): void {
    const { lanes, pool } = this.#options;
    while (this.#busyLanes < lanes && this.#commits < (pool.options.max ?? lanes)) {
      const publisherId = this.#nextPublisher();
      if (publisherId === null) return;
      this.#begin(publisherId, this.#takeBatch(publisherId));
    }
  }

  #nextPublisher(): string | null {
    const { lanes } = this.#options;
    const hasCompany = performance.now() < this.#companyUntilMs;
    const mayBeginLong = !hasCompany || this.#longOnLanes < Math.max(1, lanes - 1);
    let next: string | null = null;
    let fewest = lanes;
    for (const [publisherId, queue] of this.#waiting) {
      const [first] = queue;
      const commits = this.#underWay.get(publisherId) ?? 0;
      const isLong = first !== undefined && first.purchases.length >= longRows;
      if (commits >= fewest || (isLong && (!mayBeginLong || (hasCompany && commits > 0)))) continue;
      if (commits === 0) return publisherId;
      const mayBeJoined = first?.transactionIds.size === 1 && queue.length < worthALane;
      if (mayBeJoined && this.#onLanes.has(publisherId)) continue;
      next = publisherId;
      fewest = commits;
    }
    return next;
  }

  #takeBatch(publisherId: string): Batch {
    const { batch, rest } = split(this.#waiting.get(publisherId) ?? []);
    // To the end of the line, so that a busy publisher does not keep a quiet one waiting.
    this.#waiting.delete(publisherId);
    if (rest.length > 0) this.#waiting.set(publisherId, rest);
    this.#leaveQueue(publisherId, batch);
    return batch;
  }

  #leaveQueue(publisherId: string, requests: readonly Waiting[]): void {
    const rows = requests.reduce((sum, { purchases }) => sum + purchases.length, 0);
    this.#shares.giveBack(publisherId, rows);
    this.#queuedRows -= rows;
  }

  /** What waits behind a database that hangs leaves the queue; of what is under way nobody knows yet how it ends. */
  #refuseLate(): void {
    const now = performance.now();
    const isLate = ({ endsAtMs }: Waiting): boolean => endsAtMs <= now;
    for (const [publisherId, queue] of this.#waiting) {
      const late = queue.filter(isLate);
      if (late.length === 0) continue;
      const rest = queue.filter((waiting) => !isLate(waiting));
      if (rest.length === 0) this.#waiting.delete(publisherId);
      else this.#waiting.set(publisherId, rest);
      this.#leaveQueue(publisherId, late);
      this.#options.metrics.refusedRequests.inc({ reason: 'record_queue' }, late.length);
      for (const { reject } of late) reject(tooMany());
    }
    for (const { reject } of [...this.#begun].flat().filter(isLate)) reject(unconfirmed());
    const goesOn = this.#queuedRows > 0 || this.#commits > 0;
    this.#watch = goesOn ? setTimeout(() => this.#refuseLate(), lookForLateMs) : null;
  }

  #begin(publisherId: string, batch: Batch): void {
    this.#begun.add(batch);
    this.#commits += 1;
    this.#busyLanes += 1;
    count(this.#underWay, publisherId, 1);
    count(this.#onLanes, publisherId, 1);
    const long = batch[0].purchases.length >= longRows ? 1 : 0;
    this.#longOnLanes += long;
    let hasLane = true;
    const leaveLane = (): void => {
      if (!hasLane) return;
      hasLane = false;
      this.#busyLanes -= 1;
      this.#longOnLanes -= long;
      count(this.#onLanes, publisherId, -1);
    };
    const patience = setTimeout(() => {
      leaveLane();
      this.#fillLanes();
    }, lanePatienceMs);
    void this.#run(batch).finally(() => {
      clearTimeout(patience);
      leaveLane();
      this.#begun.delete(batch);
      this.#commits -= 1;
      count(this.#underWay, publisherId, -1);
      this.#fillLanes();
      if (this.#commits === 0) for (const resolve of this.#onDrained.splice(0)) resolve();
    });
  }

  async #run(batch: Batch): Promise<void> {
    try {
      await this.#recordBatch(batch);
    } catch (error) {
      if (batch.length > 1 && !isUnavailable(error) && !(error instanceof Refusal)) {
        // A value that the database refused: find whose it is, so that the neighbors are saved.
        for (const one of batch) await this.#run([one]);
        return;
      }
      const reason = asRefused(error);
      for (const { reject } of batch) reject(reason);
    }
  }
}

/** A request whose answer ends its spans, too. */
const endingSpans = (waiting: Waiting, traced: TracedRequest): Waiting => ({
  ...waiting,
  resolve(rows) {
    traced.end(rows, null);
    waiting.resolve(rows);
  },
  reject(error) {
    traced.end([], error);
    waiting.reject(error);
  },
});

/** Counts up or down; what is at nought is not kept. */
function count(counts: Map<string, number>, key: string, change: number): void {
  const now = (counts.get(key) ?? 0) + change;
  if (now === 0) counts.delete(key);
  else counts.set(key, now);
}

const tooMany = (): Refusal =>
  unavailable('Too many purchases are waiting to be recorded; send this one again.');

const unconfirmed = (): Refusal =>
  unavailable('The database has not confirmed the purchase in time; GET it before sending it again.');

/** The first request and those that may share its commit; the rest keep their order. */
function split([first, ...others]: readonly Waiting[]): { batch: Batch; rest: Waiting[] } {
  if (first === undefined) throw new Error('a publisher whose turn it is has nothing waiting');
  if (first.transactionIds.size > 1) return { batch: [first], rest: others };
  const batch: [Waiting, ...Waiting[]] = [first];
  const claimed = new Set(first.transactionIds);
  let rows = first.purchases.length;
  const rest = others.filter((waiting) => {
    const [transactionId = ''] = waiting.transactionIds;
    const joins =
      batch.length < maxRequestsJoined &&
      rows + waiting.purchases.length <= maxRowsJoined &&
      waiting.transactionIds.size === 1 &&
      !claimed.has(transactionId);
    if (joins) {
      batch.push(waiting);
      claimed.add(transactionId);
      rows += waiting.purchases.length;
    }
    return !joins;
  });
  return { batch, rest };
}
