import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';
import { moment, readMoment } from '../../../platform/database/moment.ts';
import type { VerificationId } from '../../../platform/database/tables.generated.ts';
import { newRowId } from '../../../platform/ids.ts';
import { type LedgerVerdict, type Progress, verifyLedgerSince } from '../verify-ledger.ts';

/** A process that said nothing of its run for so long is taken for dead. */
const leaseMs = 30_000;
const tellEveryMs = 1_000;
/** One that killed so many processes is not begun again. */
const attempts = 3;

const isToRun = (now: RawBuilder<Date> | Date): RawBuilder<unknown> =>
  sql`(status = 'Waiting' or (status = 'Running' and worked_until < ${now}))`;

/** Whether some publisher's ledger is to be proven, as a condition in SQL. */
export const areThereToVerify = sql`exists (select 1 from ledger_verification where ${isToRun(moment)})`;

/** The publishers whose ledger somebody asked to be proven, and that nobody works on. */
export async function publishersToVerify(db: Db): Promise<string[]> {
  const { rows } = await sql<{ publisher_id: string }>`
    select distinct publisher_id from ledger_verification where ${isToRun(moment)} order by publisher_id`.execute(
    db,
  );
  return rows.map(({ publisher_id }) => publisher_id);
}

/** A run of one, by this process. */
interface Run {
  publisherId: string;
  verificationId: VerificationId;
  runId: string;
  looksAtAll: boolean;
  attempt: number;
}

/** Somebody else has it, or the process is to stop. */
class RunLeft extends Error {}

/**
 * Proves a publisher's ledger, where that was asked for, and keeps what came out. One whose process died is begun again,
 * a few times; one that is stopped with the process waits for another.
 * @returns how many were proven: 1 or 0
 */
export async function runVerification(db: Db, publisherId: string, stopping: AbortSignal): Promise<number> {
  const run = await takeOver(db, publisherId);
  if (run === null) return 0;
  if (run.attempt > attempts) {
    await end(
      db,
      run,
      sql`status = 'Failed', failure = ${`Its process stopped ${attempts} times before it was done.`}`,
    );
    return 1;
  }
  const telling = startTelling(db, run);
  try {
    const verdict = await verifyLedgerSince(db, {
      publisherId,
      all: run.looksAtAll,
      keeps: true,
      onProgress(progress) {
        if (stopping.aborted || telling.isLost()) throw new RunLeft();
        telling.at(progress);
      },
    });
    await telling.stop();
    await end(db, run, outcome(verdict));
  } catch (error) {
    await telling.stop();
    if (!(error instanceof RunLeft)) {
      await end(db, run, sql`status = 'Failed', failure = ${inWords(error)}`);
      throw error;
    }
    if (stopping.aborted) await leave(db, run);
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
    where publisher_id = ${publisherId} and ${isToRun(now)}
    returning verification_id, looks_at_all, attempts`.execute(db);
  const [row] = rows;
  if (row === undefined) return null;
  const { verification_id: verificationId, looks_at_all: looksAtAll, attempts: attempt } = row;
  return { publisherId, verificationId, runId, looksAtAll, attempt };
}

const endOfLease = (now: Date): Date => new Date(now.getTime() + leaseMs);

/** Says once a second how far the run is, and keeps its lease. */
function startTelling(db: Db, run: Run) {
  let progress: Progress | null = null;
  let isLost = false;
  let telling: Promise<void> = Promise.resolve();
  const tell = async (): Promise<void> => {
    const now = await readMoment(db);
    const { numAffectedRows } = await sql`
      update ledger_verification
      set worked_until = ${endOfLease(now)}, rows_read = ${progress?.rows ?? 0}, of_rows = ${progress?.ofRows ?? null}
      where ${isOurs(run)}`.execute(db);
    isLost ||= numAffectedRows === 0n;
  };
  // When it cannot be told, the lease runs out, or the run itself fails.
  const timer = setInterval(() => {
    telling = telling.then(tell).catch(() => undefined);
  }, tellEveryMs);
  return {
    at(now: Progress): void {
      progress = now;
    },
    isLost: () => isLost,
    async stop(): Promise<void> {
      clearInterval(timer);
      await telling;
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

/** Nothing happens when somebody else took the run over. */
async function end(db: Db, run: Run, what: RawBuilder<unknown>): Promise<void> {
  const now = await readMoment(db);
  await sql`
    update ledger_verification
    set ended_at = ${now}, run_id = null, worked_until = null, ${what}
    where ${isOurs(run)}`.execute(db);
}

/** Another process begins it again at once; that this one stopped says nothing against it. */
async function leave(db: Db, run: Run): Promise<void> {
  await sql`
    update ledger_verification
    set status = 'Waiting', run_id = null, worked_until = null, attempts = attempts - 1
    where ${isOurs(run)}`.execute(db);
}

const longestFailure = 2_000;
const inWords = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, longestFailure) || 'It failed.';
