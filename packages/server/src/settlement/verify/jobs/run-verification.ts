import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';
import { moment, readMoment } from '../../../platform/database/moment.ts';
import type { VerificationId } from '../../../platform/database/tables.generated.ts';
import { newRowId } from '../../../platform/ids.ts';
import { type LedgerVerdict, type Progress, verifyLedgerSince } from '../verify-ledger.ts';

/** Duration of a run's lease. A process that doesn't extend its lease in time is assumed dead. */
const leaseMs = 30_000;
const reportIntervalMs = 1_000;
/** Maximum number of attempts. A verification fails if its process dies every time. */
const maxAttempts = 3;

const isRunnable = (now: RawBuilder<Date> | Date): RawBuilder<unknown> =>
  sql`(status = 'Waiting' or (status = 'Running' and worked_until < ${now}))`;

/** SQL condition that is true if any publisher is waiting for a verification. */
export const hasLedgersToVerify = sql`exists (select 1 from ledger_verification where ${isRunnable(moment)})`;

export async function publishersToVerify(db: Db): Promise<string[]> {
  const { rows } = await sql<{ publisher_id: string }>`
    select distinct publisher_id from ledger_verification where ${isRunnable(moment)} order by publisher_id`.execute(
    db,
  );
  return rows.map(({ publisher_id }) => publisher_id);
}

interface Run {
  publisherId: string;
  verificationId: VerificationId;
  runId: string;
  looksAtAll: boolean;
  attempt: number;
}

/** Error that ends a run because another process took it over or because this process is stopping. */
class RunAborted extends Error {}

/**
 * Runs a publisher's requested verification, if there is one, and stores the outcome. If the process dies, the
 * verification is restarted, for up to `maxAttempts` attempts. If the process shuts down, the verification waits for
 * another one.
 * @returns the number of verifications run: 1 or 0
 */
export async function runVerification(db: Db, publisherId: string, stopping: AbortSignal): Promise<number> {
  const run = await takeOver(db, publisherId);
  if (run === null) return 0;
  if (run.attempt > maxAttempts) {
    await end(
      db,
      run,
      sql`status = 'Failed', failure = ${`The process running the verification stopped ${maxAttempts} times before the verification was done.`}`,
    );
    return 1;
  }
  const reporter = startReporting(db, run);
  try {
    const verdict = await verifyLedgerSince(db, {
      publisherId,
      all: run.looksAtAll,
      savesProgress: true,
      onProgress(progress) {
        if (stopping.aborted || reporter.isLost()) throw new RunAborted();
        reporter.at(progress);
      },
    });
    await reporter.stop();
    await end(db, run, outcome(verdict));
  } catch (error) {
    await reporter.stop();
    if (!(error instanceof RunAborted)) {
      await end(db, run, sql`status = 'Failed', failure = ${failureMessage(error)}`);
      throw error;
    }
    if (stopping.aborted) await release(db, run);
  }
  return 1;
}

async function takeOver(db: Db, publisherId: string): Promise<Run | null> {
  const runId = newRowId();
  const now = await readMoment(db);
  const { rows } = await sql<{ verification_id: VerificationId; looks_at_all: boolean; attempts: number }>`
    update ledger_verification
    set status = 'Running', run_id = ${runId}::uuid, worked_until = ${endOfLease(now)}, attempts = attempts + 1,
        started_at = ${now}, rows_read = 0, of_rows = null
    where publisher_id = ${publisherId} and ${isRunnable(now)}
    returning verification_id, looks_at_all, attempts`.execute(db);
  const [row] = rows;
  if (row === undefined) return null;
  const { verification_id: verificationId, looks_at_all: looksAtAll, attempts: attempt } = row;
  return { publisherId, verificationId, runId, looksAtAll, attempt };
}

const endOfLease = (now: Date): Date => new Date(now.getTime() + leaseMs);

function startReporting(db: Db, run: Run) {
  let progress: Progress | null = null;
  let isLost = false;
  let reporting: Promise<void> = Promise.resolve();
  const report = async (): Promise<void> => {
    const now = await readMoment(db);
    const { numAffectedRows } = await sql`
      update ledger_verification
      set worked_until = ${endOfLease(now)}, rows_read = ${progress?.rows ?? 0}, of_rows = ${progress?.ofRows ?? null}
      where ${isOurs(run)}`.execute(db);
    isLost ||= numAffectedRows === 0n;
  };
  // If this fails, either the lease expires or the run itself fails.
  const timer = setInterval(() => {
    reporting = reporting.then(report).catch(() => undefined);
  }, reportIntervalMs);
  return {
    at(now: Progress): void {
      progress = now;
    },
    isLost: () => isLost,
    async stop(): Promise<void> {
      clearInterval(timer);
      await reporting;
    },
  };
}

const isOurs = ({ publisherId, verificationId, runId }: Run): RawBuilder<unknown> => sql`
  publisher_id = ${publisherId} and verification_id = ${verificationId}::uuid and run_id = ${runId}::uuid`;

function outcome(verdict: LedgerVerdict): RawBuilder<unknown> {
  if (!verdict.isSound)
    return sql`
      status = 'NotExplained', broken_rule = ${verdict.rule}, broken_place = ${verdict.row},
      broken_rows = ${[...verdict.rows]}::text[]`;
  const { isSound, publishers, ...looked } = verdict;
  return sql`status = 'Sound', looked = ${JSON.stringify(looked)}::jsonb, rows_read = ${looked.rows}, of_rows = ${looked.rows}`;
}

/** Stores the outcome of a run, unless another process has taken over the run. */
async function end(db: Db, run: Run, what: RawBuilder<unknown>): Promise<void> {
  const now = await readMoment(db);
  await sql`
    update ledger_verification
    set ended_at = ${now}, run_id = null, worked_until = null, ${what}
    where ${isOurs(run)}`.execute(db);
}

/** Returns a run to the queue for another process. A run interrupted by a shutdown doesn't count as an attempt. */
async function release(db: Db, run: Run): Promise<void> {
  await sql`
    update ledger_verification
    set status = 'Waiting', run_id = null, worked_until = null, attempts = attempts - 1
    where ${isOurs(run)}`.execute(db);
}

const maxFailureLength = 2_000;
const failureMessage = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, maxFailureLength) || 'It failed.';
