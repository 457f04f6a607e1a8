import type pg from 'pg';
import { type CreditedMember, resolveCodes } from '../members/resolve-codes.ts';
import type { Db } from '../platform/database/database.ts';
import {
  isRetryable,
  isStatementLost,
  isUnavailable,
  sqlState,
} from '../platform/database/database-errors.ts';
import { ApiError, unavailable } from '../platform/http/api-error.ts';
import { newRowId } from '../platform/ids.ts';
import type { Metrics } from '../platform/telemetry/metrics.ts';
import type { Programme, Programmes } from '../publishers/programmes.ts';
import { skuShares } from '../revenue-shares/sku-shares.ts';
import type { AttributionRow } from './attribution-row.ts';
import type { Purchase } from './read-entry.ts';
import { type NewAttribution, saveAttributions } from './record-statement.ts';

export interface RecordQueueOptions {
  /** For codes and SKUs. */
  lookups: Db;
  pool: pg.Pool;
  programmes: Programmes;
  metrics: Metrics;
  lanes: number;
  maxQueuedRows: number;
  preparedStatements: boolean;
}

interface Waiting {
  publisherId: string;
  groupId: string;
  purchases: readonly Purchase[];
  transactionIds: ReadonlySet<string>;
  resolve(rows: AttributionRow[]): void;
  reject(error: Error): void;
}

/** Enough for the throughput to stop growing, and small enough for a commit of milliseconds. */
const maxRequestsJoined = 256;
const maxRowsJoined = 1_000;
const attempts = 5;

/**
 * Requests that arrive while a commit is under way are recorded together by the next one, so a request
 * costs one commit's time and the service many requests a commit. What each caller can rely on:
 *
 * - its promise resolves after the commit that holds its rows;
 * - its outcome is its own: a neighbour's bad code, duplicate or poison value changes nothing;
 * - a commit carries one publisher's requests; only requests about one transactionId are joined, and never
 *   two about the same one;
 * - publishers take turns, and past `maxQueuedRows` a request is refused at once.
 */
export class RecordQueue {
  readonly #options: RecordQueueOptions;
  /** By publisher, in the order of whose turn is next. */
  readonly #waiting = new Map<string, Waiting[]>();
  #queuedRows = 0;
  #busyLanes = 0;
  #usesPreparedStatements: boolean;
  #wakeUp: NodeJS.Immediate | null = null;
  #onDrained: (() => void)[] = [];

  constructor(options: RecordQueueOptions) {
    this.#options = options;
    this.#usesPreparedStatements = options.preparedStatements;
  }

  get queuedRows(): number {
    return this.#queuedRows;
  }

  /** Resolves when nothing waits and no commit is under way, whether or not its client still listens. */
  drained(): Promise<void> {
    if (this.#queuedRows === 0 && this.#busyLanes === 0) return Promise.resolve();
    return new Promise((resolve) => this.#onDrained.push(resolve));
  }

  /**
   * Saves one request's purchases in one commit, all or none.
   * @returns the saved rows in the order of `purchases`
   * @throws ApiError 400 for a code or a currency the group does not take, 409 for a purchase that was saved
   *   by an earlier call, 503 when the queue is full or the database did not confirm the commit
   */
  record(publisherId: string, groupId: string, purchases: readonly Purchase[]): Promise<AttributionRow[]> {
    if (this.#queuedRows + purchases.length > this.#options.maxQueuedRows) {
      this.#options.metrics.refusedRequests.inc({ reason: 'record_queue' });
      return Promise.reject(
        unavailable('Too many purchases are waiting to be recorded; send this one again.'),
      );
    }
    return new Promise((resolve, reject) => {
      const transactionIds = new Set(purchases.map(({ transactionId }) => transactionId));
      const queue = this.#waiting.get(publisherId) ?? [];
      queue.push({ publisherId, groupId, purchases, transactionIds, resolve, reject });
      this.#waiting.set(publisherId, queue);
      this.#queuedRows += purchases.length;
      // After this turn of the event loop, so that requests read together are recorded together.
      this.#wakeUp ??= setImmediate(() => {
        this.#wakeUp = null;
        this.#fillLanes();
      });
    });
  }

  #fillLanes(): void {
    while (this.#busyLanes < this.#options.lanes) {
      const batch = this.#nextBatch();
      if (batch === null) return;
      this.#busyLanes += 1;
      void this.#run(batch).finally(() => {
        this.#busyLanes -= 1;
        this.#fillLanes();
        if (this.#busyLanes === 0) for (const resolve of this.#onDrained.splice(0)) resolve();
      });
    }
  }

  #nextBatch(): Waiting[] | null {
    const turn = this.#waiting.entries().next();
    if (turn.done) return null;
    const [publisherId, queue] = turn.value;
    const { batch, rest } = takeBatch(queue);
    // To the end of the line, so that a busy publisher does not keep a quiet one waiting.
    this.#waiting.delete(publisherId);
    if (rest.length > 0) this.#waiting.set(publisherId, rest);
    for (const { purchases } of batch) this.#queuedRows -= purchases.length;
    return batch;
  }

  async #run(batch: Waiting[]): Promise<void> {
    try {
      await this.#recordBatch(batch);
    } catch (error) {
      if (batch.length > 1 && !isUnavailable(error) && !(error instanceof ApiError)) {
        // A value that the database refused: find whose it is, so that the neighbours are saved.
        for (const one of batch) await this.#run([one]);
        return;
      }
      const reason = asAnswer(error);
      for (const { reject } of batch) reject(reason);
    }
  }

  async #recordBatch(batch: Waiting[]): Promise<void> {
    const { pool, programmes } = this.#options;
    const [{ publisherId } = raise()] = batch;
    let programme = await programmes.get(publisherId);
    // Before refusing a currency, look again: it may have been enabled a moment ago. A request that has just
    // found its group may be ahead of what is kept, too.
    if (programme !== null && (lacksGroup(programme, batch) || hasDisabledCurrency(programme, batch))) {
      programme = await programmes.reload(publisherId);
    }
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      if (programme === null) throw new Error('a key belongs to a publisher that does not exist');
      const prepared = await this.#prepare(programme, batch);
      const rows = prepared.flatMap(({ rows }) => rows).sort(byClaim);
      if (rows.length === 0) return;
      const together = prepared.length === 1 && (prepared[0]?.waiting.transactionIds.size ?? 0) > 1;
      const startedAtMs = performance.now();
      try {
        const outcome = await saveAttributions(pool, programme, rows, together, this.#usesPreparedStatements);
        if (outcome.kind === 'recorded') {
          this.#measure(prepared.length, rows.length, performance.now() - startedAtMs);
          answer(prepared, outcome.claimed);
          return;
        }
      } catch (error) {
        // Behind a pooler that loses named statements the process goes on without them.
        if (isStatementLost(error)) this.#usesPreparedStatements = false;
        else if (!isRetryable(error)) throw error;
      }
      batch = prepared.map(({ waiting }) => waiting);
      programme = await programmes.reload(publisherId);
    }
    throw unavailable('The programme is being changed too often to record this purchase now; send it again.');
  }

  /** Looks codes up and rejects, one by one, the requests that cannot be recorded. */
  async #prepare(
    programme: Programme,
    batch: Waiting[],
  ): Promise<{ waiting: Waiting; rows: NewAttribution[] }[]> {
    const { lookups } = this.#options;
    const prepared: { waiting: Waiting; rows: NewAttribution[] }[] = [];
    for (const [groupId, requests] of Map.groupBy(batch, (waiting) => waiting.groupId)) {
      const purchases = requests.flatMap((waiting) => waiting.purchases);
      const codes = new Set(purchases.map(({ codeFolded }) => codeFolded));
      const skuIds = new Set(purchases.flatMap(({ skuId }) => skuId ?? []));
      const members = await resolveCodes(lookups, programme, groupId, codes);
      const shares = skuIds.size === 0 ? noShares : await skuShares(lookups, programme, groupId, skuIds);
      for (const waiting of requests) {
        try {
          prepared.push({ waiting, rows: toRows(programme, waiting, members, shares) });
        } catch (error) {
          waiting.reject(asAnswer(error));
        }
      }
    }
    return prepared;
  }

  #measure(requests: number, rows: number, elapsedMs: number): void {
    const metrics = this.#options.metrics;
    metrics.recordBatchRequests.observe(requests);
    metrics.recordBatchRows.observe(rows);
    metrics.recordCommitSeconds.observe(elapsedMs / 1_000);
    metrics.recordedRows.inc(rows);
  }
}

const noShares: ReadonlyMap<string, number | null> = new Map();

/** The first request and those that may share its commit; the rest keep their order. */
function takeBatch(queue: Waiting[]): { batch: Waiting[]; rest: Waiting[] } {
  const [first, ...others] = queue;
  if (first === undefined) return { batch: [], rest: [] };
  if (first.transactionIds.size > 1) return { batch: [first], rest: others };
  const batch = [first];
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

const lacksGroup = ({ groups }: Programme, batch: readonly Waiting[]): boolean =>
  batch.some(({ groupId }) => !groups.has(groupId));

function hasDisabledCurrency({ groups }: Programme, batch: readonly Waiting[]): boolean {
  return batch.some(({ groupId, purchases }) => {
    const disabled = groups.get(groupId)?.disabledCurrencies;
    if (disabled === undefined || disabled.size === 0) return false;
    return purchases.some(
      ({ currency, totalCurrency }) => disabled.has(currency) || disabled.has(totalCurrency),
    );
  });
}

function toRows(
  programme: Programme,
  { groupId, purchases }: Waiting,
  members: ReadonlyMap<string, CreditedMember>,
  shares: ReadonlyMap<string, number | null>,
): NewAttribution[] {
  const group = programme.groups.get(groupId);
  if (group === undefined) throw new Error('a resolved group is missing from the programme');
  const splits = new Map<string, number>();
  return purchases.map((purchase, index) => {
    const place = purchases.length === 1 ? '' : `[${index}].`;
    const { codeFolded, currency, totalCurrency, transactionId, skuId, ...kept } = purchase;
    for (const each of [currency, totalCurrency]) {
      if (group.disabledCurrencies.has(each)) {
        throw refusal(`${place}currency ${each} is disabled by the creator group.`);
      }
    }
    const member = members.get(codeFolded);
    if (member === undefined)
      throw refusal(`${place}code is not the code of an approved member of the creator group.`);
    const splitIndex = splits.get(transactionId) ?? 0;
    splits.set(transactionId, splitIndex + 1);
    return {
      ...kept,
      attributionId: newRowId(),
      transactionId,
      splitIndex,
      groupId,
      membershipId: member.membershipId,
      code: member.code,
      memberPlayerId: member.playerId,
      origin: 'api',
      currency,
      totalCurrency,
      skuId,
      skuShareMillionths: skuId === null ? null : (shares.get(skuId) ?? null),
      tierId: member.tierId,
      tierShareMillionths: member.tierShareMillionths,
      groupShareMillionths: group.shareMillionths,
      isPaid: false,
      shareMillionths: null,
      shareMinor: null,
    };
  });
}

function answer(
  prepared: { waiting: Waiting; rows: NewAttribution[] }[],
  claimed: ReadonlySet<string>,
): void {
  for (const { waiting, rows } of prepared) {
    const isSaved = rows.every(({ transactionId }) => claimed.has(transactionId));
    if (isSaved) waiting.resolve(rows);
    else
      waiting.reject(
        new ApiError('Conflict', 'The transactionId is saved already.', { form: 'status-text' }),
      );
  }
}

function byClaim(one: NewAttribution, other: NewAttribution): number {
  if (one.transactionId !== other.transactionId) return one.transactionId < other.transactionId ? -1 : 1;
  return one.splitIndex - other.splitIndex;
}

const refusal = (message: string): ApiError => new ApiError('InvalidInput', message, { form: 'message' });

/** Class 22 is PostgreSQL's "data exception": a value got past our checks, and nothing was saved. */
function asAnswer(error: unknown): Error {
  if (sqlState(error)?.startsWith('22')) return refusal('A value in the request cannot be stored.');
  return error instanceof Error ? error : new Error(String(error));
}

function raise(): never {
  throw new Error('a batch has no requests');
}
