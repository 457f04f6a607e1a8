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

/** One request that waits for its commit. */
export interface Waiting {
  publisherId: string;
  groupId: string;
  purchases: readonly Purchase[];
  transactionIds: ReadonlySet<string>;
  /** When it must have been answered, on performance.now()'s clock. */
  endsAtMs: number;
  /** Null unless its trace is kept. */
  traced: TracedRequest | null;
  resolve(rows: AttributionRow[]): void;
  reject(error: Error): void;
}

export interface RecorderOptions {
  /** Where codes and SKUs are looked up. */
  lookups: Db;
  pool: pg.Pool;
  /** On the same connections. */
  transactions: Db;
  programs: Programs;
  metrics: Metrics;
  preparedStatements: boolean;
}

/** Requests of one publisher: one that stands alone, or some that may be recorded together. */
export type Batch = readonly [Waiting, ...Waiting[]];

/** Records a batch in one commit and answers its requests; fails for all that it has not answered. */
export type RecordBatch = (batch: Batch) => Promise<void>;

interface Prepared {
  waiting: Waiting;
  rows: NewAttribution[];
}

interface Attempt {
  prepared: readonly Prepared[];
  outcome: RecordOutcome;
  traced: TracedRecording | null;
  elapsedMs: number;
}

/** The requests of a batch that are not answered yet, and how one is refused by itself. */
interface Open {
  requests: readonly Waiting[];
  manner: Recording['manner'];
  refuse(waiting: Waiting, error: unknown): void;
}

/** What was prepared with a program that has moved on, this often, is prepared and saved under its lock. */
const timesOutdated = 2;
/** Deadlocks, statements that a pooler has lost, and a lock that somebody keeps. */
const timesFailed = 5;
/** How many publishers that have sent a purchase twice are kept in mind, and for how long. */
const publishersRepeating = 10_000;
const repeatingMs = 10_000;
/** Then the caller is told to come again, within the five seconds that a request may take. */
const patienceMs = 2_500;

export function createBatchRecorder(options: RecorderOptions): RecordBatch {
  const { lookups, pool, transactions, programs, metrics } = options;
  let usesNames = options.preparedStatements;
  // Hardly any purchase is sent twice, and then mostly several are: their publisher's are looked for, for a while.
  const repeating = boundedCache<true>(publishersRepeating, repeatingMs);
  const run: RunStatement = ({ name, text, values }) =>
    pool.query(usesNames ? { name, text, values } : { text, values });

  async function warmProgram(publisherId: string, batch: Batch): Promise<Program> {
    const program = await programs.get(publisherId);
    // Before refusing a currency, look again: it may have been enabled a moment ago. A request that has just
    // found its group may be ahead of what is kept, too.
    if (program !== null && !lacksGroup(program, batch) && !hasDisabledCurrency(program, batch))
      return program;
    return existing(await programs.reload(publisherId));
  }

  return async function recordBatch(batch) {
    const { publisherId } = batch[0];
    const open = new Set(batch);
    const refuse: Open['refuse'] = (waiting, error) => {
      open.delete(waiting);
      waiting.reject(asRefused(error));
    };
    const startedAtMs = performance.now();
    let program = await warmProgram(publisherId, batch);
    let manner: Recording['manner'] = repeating.has(publisherId) ? 'unless-saved' : 'whole';
    let outdated = 0;
    for (let failed = 0; ; ) {
      try {
        const requests = { requests: [...open], refuse, manner } as const;
        const attempt =
          outdated < timesOutdated
            ? await recordBy(run, lookups, { program, ...requests })
            : await recordUnderLock(transactions, publisherId, requests);
        if (attempt.outcome.kind === 'recorded') {
          measure(metrics, attempt);
          attempt.traced?.end(rowsOf(attempt));
          answer(attempt.prepared, attempt.outcome.claimed);
          return;
        }
        outdated += 1;
      } catch (error) {
        if (isSavedBefore(error)) {
          repeating.set(publisherId, true);
          const [first, ...others] = open;
          if (others.length === 0) return first?.reject(savedAlready());
          if (manner === 'whole') {
            manner = 'unless-saved';
            continue;
          }
        }
        failed += 1;
        const isLocked = outdated === timesOutdated && sqlState(error) === '55P03';
        const isPassing = isLocked || isStatementLost(error) || isRetryable(error);
        const isLate = failed === timesFailed || performance.now() - startedAtMs > patienceMs;
        if (isLate || !isPassing) throw error;
        // Behind a pooler that loses named statements the process goes on without them.
        if (isStatementLost(error)) usesNames = false;
        // Changes lock the row while they commit. Whoever keeps it longer keeps the program as it is.
        if (isLocked) outdated -= 1;
      }
      program = existing(await programs.reload(publisherId));
    }
  };
}

/** Prepares a batch with a program that may be old: then the outcome is `outdated`. */
async function recordBy(
  run: RunStatement,
  db: Db | Tx,
  { program, ...open }: Open & { program: Program },
): Promise<Attempt> {
  const id = newRecordingId();
  const traced = isTracing() ? traceRecording(id, open.requests) : null;
  const recordingId = traced?.recordingId ?? id;
  const prepared = await prepare(db, { program, recordingId }, open);
  const rows = prepared.flatMap((each) => each.rows).sort(byClaim);
  if (rows.length === 0)
    return { prepared, outcome: { kind: 'recorded', claimed: null }, traced: null, elapsedMs: 0 };
  if (traced !== null) for (const each of prepared) traced.add(each.waiting.traced, each.rows);
  // A list of several purchases is saved wholly or not at all.
  const isList = prepared.length === 1 && (prepared[0]?.waiting.transactionIds.size ?? 0) > 1;
  const startedAtMs = performance.now();
  const outcome = await saveAttributions(run, program, {
    recordingId,
    rows,
    manner: isList ? 'whole' : open.manner,
    traced,
  });
  return { prepared, outcome, traced, elapsedMs: performance.now() - startedAtMs };
}

/** While the publisher's row is locked no version moves, so what is read now is true until the commit. */
function recordUnderLock(db: Db, publisherId: string, open: Open): Promise<Attempt> {
  const startedAtMs = performance.now();
  return db
    .transaction()
    .setIsolationLevel('read committed') // each statement sees what was committed before it
    .execute(async (tx) => {
      await sql`select 1 from publisher where publisher_id = ${publisherId} for share`.execute(tx);
      const program = existing(await loadProgram(tx, publisherId));
      const run: RunStatement = <Row extends object>({ text, values }: { text: string; values: unknown[] }) =>
        tx.executeQuery<Row>(CompiledQuery.raw(text, values));
      return recordBy(run, tx, { program, ...open });
    })
    .then((attempt) => ({ ...attempt, elapsedMs: performance.now() - startedAtMs }));
}

/** Looks up what decides, and refuses, one by one, the requests that cannot be recorded. */
async function prepare(
  db: Db | Tx,
  { program, recordingId }: { program: Program; recordingId: RecordingId },
  { requests: open, refuse }: Open,
): Promise<Prepared[]> {
  const prepared: Prepared[] = [];
  let rowsBefore = 0;
  for (const [groupId, requests] of Map.groupBy(open, (waiting) => waiting.groupId)) {
    const purchases = requests.flatMap((waiting) => waiting.purchases);
    const codes = new Set(purchases.map(({ codeFolded }) => codeFolded));
    const skuIds = new Set(purchases.flatMap(({ skuId }) => skuId ?? []));
    const members = await resolveCodes(db, program, groupId, codes);
    const recordedWith = {
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
    for (const waiting of requests) {
      try {
        const place = { recordingId, rowsBefore };
        const rows = await toNewAttributions(recordedWith, waiting.purchases, place);
        rowsBefore += rows.length;
        prepared.push({ waiting, rows });
      } catch (error) {
        refuse(waiting, error);
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

function existing(program: Program | null): Program {
  if (program === null) throw new Error('a key belongs to a publisher that does not exist');
  return program;
}

function byClaim(one: NewAttribution, other: NewAttribution): number {
  if (one.transactionId !== other.transactionId) return one.transactionId < other.transactionId ? -1 : 1;
  return one.splitIndex - other.splitIndex;
}

const rowsOf = ({ prepared }: Attempt): number => prepared.reduce((sum, each) => sum + each.rows.length, 0);

function measure(metrics: Metrics, attempt: Attempt): void {
  const { prepared, elapsedMs } = attempt;
  const rows = rowsOf(attempt);
  if (rows === 0) return;
  metrics.recordBatchRequests.observe(prepared.length);
  metrics.recordBatchRows.observe(rows);
  metrics.recordCommitSeconds.observe(elapsedMs / 1_000);
  metrics.recordedRows.inc(rows);
}

function answer(prepared: readonly Prepared[], claimed: ReadonlySet<string> | null): void {
  for (const { waiting, rows } of prepared) {
    const isSaved = claimed === null || rows.every(({ transactionId }) => claimed.has(transactionId));
    if (isSaved) waiting.resolve(rows);
    else waiting.reject(savedAlready());
  }
}

const savedAlready = (): Refusal => new Refusal('Conflict', 'The transactionId is saved already.');

/** What a request fails with. Class 22 is PostgreSQL's "data exception": a value got past our checks, and nothing was saved. */
export function asRefused(error: unknown): Error {
  if (sqlState(error)?.startsWith('22'))
    return new Refusal('InvalidInput', 'A value in the request cannot be stored.');
  return error instanceof Error ? error : new Error(String(error));
}
