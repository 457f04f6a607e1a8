import { CompiledQuery, sql } from 'kysely';
import type pg from 'pg';
import { resolveCodes } from '../../members/read/resolve-codes.ts';
import { boundedCache } from '../../platform/bounded-cache.ts';
import type { Db } from '../../platform/database/database.ts';
import { isRetryable, isStatementLost, sqlState } from '../../platform/database/database-errors.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { RecordingId } from '../../platform/database/tables.generated.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { Metrics } from '../../platform/telemetry/metrics.ts';
import { isTracing } from '../../platform/telemetry/tracing.ts';
import { loadProgram, type Program, type Programs } from '../../publishers/programs.ts';
import { coveringSchedules } from '../../revenue-shares/covering-schedules.ts';
import { skuShares } from '../../revenue-shares/sku-shares.ts';
import type { AttributionRow } from '../attribution-row.ts';
import { newRecordingId } from '../recording-id.ts';
import { toNewAttributions } from './new-attributions.ts';
import type { Purchase } from './read-entry.ts';
import type { NewAttribution } from './record-columns.ts';
import {
  isSavedBefore,
  type Recording,
  type RecordOutcome,
  type RunStatement,
  saveAttributions,
} from './record-statement.ts';
import { type TracedRecording, type TracedRequest, traceRecording } from './trace-recording.ts';

export interface QueuedRequest {
  publisherId: string;
  groupId: string;
  purchases: readonly Purchase[];
  transactionIds: ReadonlySet<string>;
  /** Deadline for the response, on the clock of `performance.now()`. */
  endsAtMs: number;
  /** Null unless the request is traced. */
  traced: TracedRequest | null;
  resolve(rows: AttributionRow[]): void;
  reject(error: Error): void;
}

export interface RecorderOptions {
  lookups: Db;
  pool: pg.Pool;
  /** Database for transactions, which uses the connections in `pool`. */
  transactions: Db;
  programs: Programs;
  metrics: Metrics;
  preparedStatements: boolean;
}

export type Batch = readonly [QueuedRequest, ...QueuedRequest[]];

/**
 * Records a batch in one commit and settles its requests. If the promise rejects, the error applies to the
 * unsettled requests.
 */
export type RecordBatch = (batch: Batch) => Promise<void>;

interface Prepared {
  request: QueuedRequest;
  rows: NewAttribution[];
}

interface Attempt {
  prepared: readonly Prepared[];
  outcome: RecordOutcome;
  traced: TracedRecording | null;
  elapsedMs: number;
}

/** Requests in a batch that are not settled yet. `refuse` rejects a single request. */
interface OpenRequests {
  requests: readonly QueuedRequest[];
  mode: Recording['mode'];
  refuse(request: QueuedRequest, error: unknown): void;
}

/**
 * Maximum number of attempts that may fail because the program is outdated. The next attempt holds the
 * program's lock while it prepares and saves the batch.
 */
const maxOutdatedAttempts = 2;
/** Maximum number of retries after deadlocks, statements lost by a pooler, and lock timeouts. */
const maxFailedAttempts = 5;
/** Maximum number of publishers remembered for repeating a purchase, and how long each is remembered. */
const maxRepeatingPublishers = 10_000;
const repeatingMs = 10_000;
/**
 * Maximum time spent on retries. After this time, the response asks the caller to retry. The limit for the
 * whole request is five seconds.
 */
const maxRetryMs = 2_500;

export function createBatchRecorder(options: RecorderOptions): RecordBatch {
  const { lookups, pool, transactions, programs, metrics } = options;
  let usesNames = options.preparedStatements;
  // Publishers rarely send a purchase twice, but a publisher that does usually resends several. For a while,
  // the publisher's statements therefore skip saved purchases instead of failing.
  const repeating = boundedCache<true>(maxRepeatingPublishers, repeatingMs);
  const run: RunStatement = ({ name, text, values }) =>
    pool.query(usesNames ? { name, text, values } : { text, values });

  async function currentProgram(publisherId: string, batch: Batch): Promise<Program> {
    const program = await programs.get(publisherId);
    // The program is reloaded before a currency is rejected, because the currency may have just been enabled.
    // The cached program may also lack a new group that the request has already resolved.
    if (program !== null && !lacksGroup(program, batch) && !hasDisabledCurrency(program, batch))
      return program;
    return requireProgram(await programs.reload(publisherId));
  }

  return async function recordBatch(batch) {
    const { publisherId } = batch[0];
    const open = new Set(batch);
    const refuse: OpenRequests['refuse'] = (request, error) => {
      open.delete(request);
      request.reject(toRequestError(error));
    };
    const startedAtMs = performance.now();
    let program = await currentProgram(publisherId, batch);
    let mode: Recording['mode'] = repeating.has(publisherId) ? 'unless-saved' : 'whole';
    let outdated = 0;
    for (let failed = 0; ; ) {
      try {
        const requests = { requests: [...open], refuse, mode } as const;
        const attempt =
          outdated < maxOutdatedAttempts
            ? await recordBy(run, lookups, { program, ...requests })
            : await recordUnderLock(transactions, publisherId, requests);
        if (attempt.outcome.kind === 'recorded') {
          const saved = settle(attempt.prepared, attempt.outcome.savedIds);
          measure(metrics, attempt, saved);
          attempt.traced?.end(saved);
          return;
        }
        outdated += 1;
      } catch (error) {
        if (isSavedBefore(error)) {
          repeating.set(publisherId, true);
          const [first, ...others] = open;
          if (others.length === 0) return first?.reject(alreadySaved());
          if (mode === 'whole') {
            mode = 'unless-saved';
            continue;
          }
        }
        failed += 1;
        const isLocked = outdated === maxOutdatedAttempts && sqlState(error) === '55P03';
        const isPassing = isLocked || isStatementLost(error) || isRetryable(error);
        const isLate = failed === maxFailedAttempts || performance.now() - startedAtMs > maxRetryMs;
        if (isLate || !isPassing) throw error;
        // The pooler has lost prepared statements, so the process stops using them.
        if (isStatementLost(error)) usesNames = false;
        // A change locks the publisher's row only during its commit. A lock held for longer also blocks
        // changes, so the cached program is still current.
        if (isLocked) outdated -= 1;
      }
      program = requireProgram(await programs.reload(publisherId));
    }
  };
}

/** Prepares and saves a batch. The outcome is `outdated` if the program has changed. */
async function recordBy(
  run: RunStatement,
  db: Db | Tx,
  { program, ...open }: OpenRequests & { program: Program },
): Promise<Attempt> {
  const id = newRecordingId();
  const traced = isTracing() ? traceRecording(id, open.requests) : null;
  const recordingId = traced?.recordingId ?? id;
  const prepared = await prepare(db, { program, recordingId }, open);
  const rows = prepared.flatMap((each) => each.rows).sort(byPurchaseKey);
  if (rows.length === 0)
    return { prepared, outcome: { kind: 'recorded', savedIds: null }, traced: null, elapsedMs: 0 };
  if (traced !== null) for (const each of prepared) traced.add(each.request.traced, each.rows);
  // A list of several purchases is saved as a whole or not at all.
  const isList = prepared.length === 1 && (prepared[0]?.request.transactionIds.size ?? 0) > 1;
  const startedAtMs = performance.now();
  const outcome = await saveAttributions(run, program, {
    recordingId,
    rows,
    mode: isList ? 'whole' : open.mode,
    traced,
  });
  return { prepared, outcome, traced, elapsedMs: performance.now() - startedAtMs };
}

/**
 * Prepares and saves a batch while the publisher's row is locked, so that the program can't change before the commit.
 */
function recordUnderLock(db: Db, publisherId: string, open: OpenRequests): Promise<Attempt> {
  const startedAtMs = performance.now();
  return db
    .transaction()
    .setIsolationLevel('read committed') // each statement sees what was committed before it
    .execute(async (tx) => {
      await sql`select 1 from publisher where publisher_id = ${publisherId} for share`.execute(tx);
      const program = requireProgram(await loadProgram(tx, publisherId));
      const run: RunStatement = <Row extends object>({ text, values }: { text: string; values: unknown[] }) =>
        tx.executeQuery<Row>(CompiledQuery.raw(text, values));
      return recordBy(run, tx, { program, ...open });
    })
    .then((attempt) => ({ ...attempt, elapsedMs: performance.now() - startedAtMs }));
}

/** Looks up codes, shares and schedules, builds the rows, and rejects the requests that can't be recorded. */
async function prepare(
  db: Db | Tx,
  { program, recordingId }: { program: Program; recordingId: RecordingId },
  { requests: open, refuse }: OpenRequests,
): Promise<Prepared[]> {
  const prepared: Prepared[] = [];
  let rowsBefore = 0;
  for (const [groupId, requests] of Map.groupBy(open, (request) => request.groupId)) {
    const purchases = requests.flatMap((request) => request.purchases);
    const codes = new Set(purchases.map(({ codeFolded }) => codeFolded));
    const skuIds = new Set(purchases.flatMap(({ skuId }) => skuId ?? []));
    const members = await resolveCodes(db, program, groupId, codes);
    const context = {
      program,
      groupId,
      members,
      skuShares: skuIds.size === 0 ? noShares : await skuShares(db, program, groupId, skuIds),
      schedules: await coveringSchedules(db, program, {
        groupId,
        rows: purchases,
        tierOf: ({ codeFolded }) => members.get(codeFolded)?.tierId ?? null,
      }),
    };
    for (const request of requests) {
      try {
        const place = { recordingId, rowsBefore };
        const rows = await toNewAttributions(context, request.purchases, place);
        rowsBefore += rows.length;
        prepared.push({ request, rows });
      } catch (error) {
        refuse(request, error);
      }
    }
  }
  return prepared;
}

const noShares: ReadonlyMap<string, number | null> = new Map();

const lacksGroup = ({ groups }: Program, batch: Batch): boolean =>
  batch.some(({ groupId }) => !groups.has(groupId));

function hasDisabledCurrency({ groups }: Program, batch: Batch): boolean {
  return batch.some(({ groupId, purchases }) => {
    const disabled = groups.get(groupId)?.disabledCurrencies;
    if (disabled === undefined || disabled.size === 0) return false;
    return purchases.some(
      ({ currency, totalCurrency }) => disabled.has(currency) || disabled.has(totalCurrency),
    );
  });
}

function requireProgram(program: Program | null): Program {
  if (program === null) throw new Error("a key's publisher doesn't exist");
  return program;
}

function byPurchaseKey(one: NewAttribution, other: NewAttribution): number {
  if (one.transactionId !== other.transactionId) return one.transactionId < other.transactionId ? -1 : 1;
  return one.splitIndex - other.splitIndex;
}

function measure(metrics: Metrics, { prepared, elapsedMs }: Attempt, saved: number): void {
  const rows = prepared.reduce((sum, each) => sum + each.rows.length, 0);
  if (rows === 0) return;
  metrics.recordBatchRequests.observe(prepared.length);
  metrics.recordBatchRows.observe(rows);
  metrics.recordCommitSeconds.observe(elapsedMs / 1_000);
  metrics.recordedRows.inc(saved);
}

/** @returns the number of rows that were saved; those of repeated purchases aren't */
function settle(prepared: readonly Prepared[], savedIds: ReadonlySet<string> | null): number {
  let saved = 0;
  for (const { request, rows } of prepared) {
    const isSaved = savedIds === null || rows.every(({ transactionId }) => savedIds.has(transactionId));
    if (isSaved) {
      saved += rows.length;
      request.resolve(rows);
    } else request.reject(alreadySaved());
  }
  return saved;
}

const alreadySaved = (): Refusal => new Refusal('Conflict', 'The transactionId is already saved.');

/**
 * Converts an error to the one that rejects a request. SQLSTATE class 22 is "data exception": a value passed
 * our checks but was rejected by PostgreSQL, and the request was not saved.
 */
export function toRequestError(error: unknown): Error {
  if (sqlState(error)?.startsWith('22'))
    return new Refusal('InvalidInput', "A value in the request can't be stored.");
  return error instanceof Error ? error : new Error(String(error));
}
