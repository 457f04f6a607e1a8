import { leftMs } from '../../platform/database/connections/request-budget.ts';
import { isUnavailable } from '../../platform/database/database-errors.ts';
import { Refusal, unavailable } from '../../platform/refusal.ts';
import { FairShares } from '../../platform/work/fair-shares.ts';
import type { AttributionRow } from '../attribution-row.ts';
import type { Purchase } from './read-entry.ts';
import {
  type Batch,
  createBatchRecorder,
  type QueuedRequest,
  type RecordBatch,
  type RecorderOptions,
  toRequestError,
} from './record-batch.ts';
import { type TracedRequest, traceWaiting } from './trace-recording.ts';

export interface RecordQueueOptions extends RecorderOptions {
  /** Number of concurrent commits, not counting slow commits. */
  lanes: number;
  maxQueuedRows: number;
}

/**
 * Maximum batch size: large enough that a larger batch wouldn't increase throughput, small enough for a
 * commit within milliseconds.
 */
const maxBatchRequests = 256;
const maxBatchRows = 1_000;
/** Maximum time that a commit can wait for a lock or the disk before it gives up its lane to another publisher. */
const lanePatienceMs = 100;
/** Minimum number of rows in a long commit. While publishers compete, long commits leave one lane free. */
const longCommitRows = 250;
/**
 * Number of queued requests at which a publisher gets a second lane. Fewer requests wait for the publisher's
 * current commit and are then recorded together, because a commit costs as much as twenty rows.
 */
const minRequestsForLane = 32;
/** Duration for which alternating publishers count as contention. */
const contentionMs = 1_000;
/** Interval between checks for requests past their deadline. */
const deadlineCheckMs = 200;

/**
 * Queue that records requests in batches. Requests that arrive during a commit are recorded together by the
 * next commit. A request takes about as long as one commit, and one commit serves many requests. Guarantees
 * for callers:
 *
 * - The promise resolves after the commit with the request's rows, or rejects at the request's deadline.
 * - Requests don't affect each other: a bad code, a duplicate or an invalid value in one request has no
 *   effect on the others.
 * - A commit contains requests from one publisher. Only requests with a single transactionId are combined,
 *   and never two with the same transactionId.
 * - Publishers don't affect each other: `FairShares` divides the queued rows, and a request beyond its
 *   publisher's share is rejected immediately. The next commit goes to the publisher with the fewest commits
 *   in progress or, in a tie, to the publisher that has waited longest. No publisher has more than `lanes`
 *   commits in progress, and a publisher with only a few requests doesn't get a second commit. A slow commit
 *   occupies no lane, and while publishers compete, one lane is left for short commits.
 */
export class RecordQueue {
  readonly #options: RecordQueueOptions;
  readonly #recordBatch: RecordBatch;
  readonly #shares: FairShares;
  /** Queued requests by publisher, in turn order. */
  readonly #queues = new Map<string, QueuedRequest[]>();
  readonly #underWay = new Map<string, number>();
  /** Number of each publisher's commits that occupy lanes, excluding slow commits. */
  readonly #onLanes = new Map<string, number>();
  readonly #batchesUnderWay = new Set<Batch>();
  #longOnLanes = 0;
  #latestPublisherId = '';
  #contentionEndsAtMs = 0;
  #queuedRows = 0;
  #commits = 0;
  #busyLanes = 0;
  #wakeUp: NodeJS.Immediate | null = null;
  #deadlineCheck: NodeJS.Timeout | null = null;
  #onDrained: (() => void)[] = [];

  constructor(options: RecordQueueOptions) {
    this.#options = options;
    this.#recordBatch = createBatchRecorder(options);
    this.#shares = new FairShares(options.maxQueuedRows);
  }

  get queuedRows(): number {
    return this.#queuedRows;
  }

  /**
   * Resolves when the queue is empty and no commit is in progress, not even for a client that has
   * disconnected.
   */
  drained(): Promise<void> {
    if (this.#queuedRows === 0 && this.#commits === 0) return Promise.resolve();
    return new Promise((resolve) => this.#onDrained.push(resolve));
  }

  /**
   * Records all purchases of a request in one commit, or none of them.
   * @returns the saved rows in the order of `purchases`
   * @throws Refusal InvalidInput for an unknown code or a disabled currency, Conflict for a purchase saved by an
   *   earlier request, Unavailable when the publisher's queue is full or the database didn't confirm the commit in
   *   time
   */
  record(publisherId: string, groupId: string, purchases: readonly Purchase[]): Promise<AttributionRow[]> {
    const refusal = this.refusal(publisherId, purchases.length);
    if (refusal !== null) return Promise.reject(refusal);
    this.#shares.take(publisherId, purchases.length);
    if (publisherId !== this.#latestPublisherId) {
      this.#latestPublisherId = publisherId;
      this.#contentionEndsAtMs = performance.now() + contentionMs;
    }
    const endsAtMs = performance.now() + leftMs();
    this.#deadlineCheck ??= setTimeout(() => this.#rejectLate(), deadlineCheckMs);
    return new Promise((resolve, reject) => {
      const transactionIds = new Set(purchases.map(({ transactionId }) => transactionId));
      const queue = this.#queues.get(publisherId) ?? [];
      const traced = traceWaiting();
      const request = { publisherId, groupId, purchases, transactionIds, endsAtMs, traced, resolve, reject };
      queue.push(traced === null ? request : withSpans(request, traced));
      this.#queues.set(publisherId, queue);
      this.#queuedRows += purchases.length;
      // Runs after this turn of the event loop, so that requests read together are recorded together.
      this.#wakeUp ??= setImmediate(() => {
        this.#wakeUp = null;
        this.#fillLanes();
      });
    });
  }

  /** Returns the error that `record` would throw for this many rows of a publisher; null if they fit. */
  refusal(publisherId: string, rows: number): Refusal | null {
    if (this.#shares.mayTake(publisherId, rows)) return null;
    this.#options.metrics.refusedRequests.inc({ reason: 'record_queue' });
    return queueFull();
  }

  #fillLanes(): void {
    const { lanes, pool } = this.#options;
    while (this.#busyLanes < lanes && this.#commits < (pool.options.max ?? lanes)) {
      const publisherId = this.#nextPublisher();
      if (publisherId === null) return;
      this.#start(publisherId, this.#takeBatch(publisherId));
    }
  }

  #nextPublisher(): string | null {
    const { lanes } = this.#options;
    const isContended = performance.now() < this.#contentionEndsAtMs;
    const mayStartLong = !isContended || this.#longOnLanes < Math.max(1, lanes - 1);
    let next: string | null = null;
    let fewest = lanes;
    for (const [publisherId, queue] of this.#queues) {
      const [first] = queue;
      const commits = this.#underWay.get(publisherId) ?? 0;
      const isLong = first !== undefined && first.purchases.length >= longCommitRows;
      if (commits >= fewest || (isLong && (!mayStartLong || (isContended && commits > 0)))) continue;
      if (commits === 0) return publisherId;
      const mayBeJoined = first?.transactionIds.size === 1 && queue.length < minRequestsForLane;
      if (mayBeJoined && this.#onLanes.has(publisherId)) continue;
      next = publisherId;
      fewest = commits;
    }
    return next;
  }

  #takeBatch(publisherId: string): Batch {
    const { batch, rest } = split(this.#queues.get(publisherId) ?? []);
    // The publisher moves to the end of the line, so that a busy publisher doesn't delay a quiet one.
    this.#queues.delete(publisherId);
    if (rest.length > 0) this.#queues.set(publisherId, rest);
    this.#leaveQueue(publisherId, batch);
    return batch;
  }

  #leaveQueue(publisherId: string, requests: readonly QueuedRequest[]): void {
    const rows = requests.reduce((sum, { purchases }) => sum + purchases.length, 0);
    this.#shares.giveBack(publisherId, rows);
    this.#queuedRows -= rows;
  }

  /**
   * Rejects requests past their deadline. Queued requests weren't saved. For requests whose commit is in
   * progress, the outcome is unknown.
   */
  #rejectLate(): void {
    const now = performance.now();
    const isLate = ({ endsAtMs }: QueuedRequest): boolean => endsAtMs <= now;
    for (const [publisherId, queue] of this.#queues) {
      const late = queue.filter(isLate);
      if (late.length === 0) continue;
      const rest = queue.filter((request) => !isLate(request));
      if (rest.length === 0) this.#queues.delete(publisherId);
      else this.#queues.set(publisherId, rest);
      this.#leaveQueue(publisherId, late);
      this.#options.metrics.refusedRequests.inc({ reason: 'record_queue' }, late.length);
      for (const { reject } of late) reject(queueFull());
    }
    for (const { reject } of [...this.#batchesUnderWay].flat().filter(isLate)) reject(unconfirmed());
    const hasWork = this.#queuedRows > 0 || this.#commits > 0;
    this.#deadlineCheck = hasWork ? setTimeout(() => this.#rejectLate(), deadlineCheckMs) : null;
  }

  #start(publisherId: string, batch: Batch): void {
    this.#batchesUnderWay.add(batch);
    this.#commits += 1;
    this.#busyLanes += 1;
    count(this.#underWay, publisherId, 1);
    count(this.#onLanes, publisherId, 1);
    const long = batch[0].purchases.length >= longCommitRows ? 1 : 0;
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
      this.#batchesUnderWay.delete(batch);
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
        // The database rejected a value. Each request is recorded by itself, so that the other requests are
        // saved.
        for (const one of batch) await this.#run([one]);
        return;
      }
      const reason = toRequestError(error);
      for (const { reject } of batch) reject(reason);
    }
  }
}

/** Wraps a request so that its spans end when its response is ready. */
const withSpans = (request: QueuedRequest, traced: TracedRequest): QueuedRequest => ({
  ...request,
  resolve(rows) {
    traced.end(rows, null);
    request.resolve(rows);
  },
  reject(error) {
    traced.end([], error);
    request.reject(error);
  },
});

function count(counts: Map<string, number>, key: string, change: number): void {
  const now = (counts.get(key) ?? 0) + change;
  if (now === 0) counts.delete(key);
  else counts.set(key, now);
}

const queueFull = (): Refusal =>
  unavailable('Too many purchases are waiting to be recorded. Send this request again.');

const unconfirmed = (): Refusal =>
  unavailable('The database did not confirm the purchase in time. Get the purchase before you resend it.');

/**
 * Splits a queue into a batch (the first request and the requests that may share its commit) and the rest, in
 * order.
 */
function split([first, ...others]: readonly QueuedRequest[]): { batch: Batch; rest: QueuedRequest[] } {
  if (first === undefined) throw new Error('a publisher without queued requests got a turn');
  if (first.transactionIds.size > 1) return { batch: [first], rest: others };
  const batch: [QueuedRequest, ...QueuedRequest[]] = [first];
  const batchIds = new Set(first.transactionIds);
  let rows = first.purchases.length;
  const rest = others.filter((request) => {
    const [transactionId = ''] = request.transactionIds;
    const joins =
      batch.length < maxBatchRequests &&
      rows + request.purchases.length <= maxBatchRows &&
      request.transactionIds.size === 1 &&
      !batchIds.has(transactionId);
    if (joins) {
      batch.push(request);
      batchIds.add(transactionId);
      rows += request.purchases.length;
    }
    return !joins;
  });
  return { batch, rest };
}
