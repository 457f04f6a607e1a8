import { sql } from 'kysely';
import type { Actor } from '../../../audit/actor.ts';
import { storedActorId } from '../../../audit/record-change.ts';
import type { Db } from '../../../platform/database/database.ts';
import { inTransaction } from '../../../platform/database/in-transaction.ts';
import { moment, readMoment } from '../../../platform/database/moment.ts';
import type { PayoutBatchId, PayRunId } from '../../../platform/database/tables.generated.ts';
import { newRowId } from '../../../platform/ids.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { aheadMsAt, laterBy } from '../../../publishers/publisher-time.ts';
import { createPayout } from '../create/create-payout.ts';
import { nothingLeft } from '../create/payout-changes.ts';
import {
  endOfRunLease,
  extendRunLease,
  isOurs,
  isUnattended,
  type RunLease,
  whileLeased,
} from './run-lease.ts';

/** Maximum number of processes that may die while creating the same payout. */
const maxAttempts = 3;
const maxMessageLength = 8_000;

/** SQL condition that is true if any publisher's pay run is waiting for a worker. */
export const hasUnattendedRuns = sql`exists (select 1 from pay_run where ${isUnattended(moment)})`;

export async function publishersWithRuns(db: Db): Promise<string[]> {
  const { rows } = await sql<{ publisher_id: string }>`
    select distinct publisher_id from pay_run where ${isUnattended(moment)} order by publisher_id`.execute(
    db,
  );
  return rows.map(({ publisher_id }) => publisher_id);
}

/**
 * Continues a publisher's pay run after the process working on it has died. Creates only one payout, so that other
 * publishers get their turn.
 * @param onError called for any failure that isn't a Refusal; the line then gets a generic message
 * @returns the number of lines done
 */
export async function resumePayRun(
  db: Db,
  publisherId: string,
  onError: (error: unknown) => void,
): Promise<number> {
  const lease = await takeOver(db, publisherId);
  return lease === null ? 0 : workPayRun(db, lease, { actor: null, onError, maxLines: 1 });
}

async function takeOver(db: Db, publisherId: string): Promise<RunLease | null> {
  const leaseId = newRowId();
  const now = await readMoment(db);
  const { rows } = await sql<{ pay_run_id: PayRunId }>`
    update pay_run
    set lease_id = ${leaseId}::uuid, worked_until = ${endOfRunLease(now)}, attempts = attempts + 1
    where publisher_id = ${publisherId} and ${isUnattended(now)}
    returning pay_run_id`.execute(db);
  const [run] = rows;
  return run === undefined ? null : { publisherId, payRunId: run.pay_run_id, leaseId };
}

interface Work {
  /**
   * Actor who started the run; null if this is no longer the same request. In that case, each payout is created for the
   * person stored with its line, without an address.
   */
  actor: Actor | null;
  onError(error: unknown): void;
  /** Number of lines to create before leaving the rest for another turn. */
  maxLines?: number;
}

/**
 * Creates a run's payouts, one after another. A rejected payout becomes a failed line and doesn't affect the others. If
 * the process dies, another process continues and reuses any payout that already exists with the run's cutoff.
 * @returns the number of lines done
 */
export async function workPayRun(
  db: Db,
  lease: RunLease,
  { actor, onError, maxLines = Number.POSITIVE_INFINITY }: Work,
): Promise<number> {
  for (let done = 0; ; done += 1) {
    const line = done < maxLines ? await nextLine(db, lease) : null;
    if (line === null && (await leave(db, lease, done >= maxLines))) return done;
    if (line === null) continue;
    const outcome = await whileLeased(db, lease, () => createLine(db, lease, line, actor)).catch(
      (error: unknown): Failure => {
        if (!(error instanceof Refusal)) onError(error);
        return failureOf(error);
      },
    );
    await saveOutcome(db, lease, line, outcome);
    if (!(await extendRunLease(db, lease))) return done + 1;
  }
}

interface Line {
  groupId: string;
  currency: string;
  totalMinor: bigint;
  isExact: boolean;
  asOf: Date;
  attempts: number;
  requestedBy: Actor;
}

/** Reads the first waiting line; null if there is none or another process has taken over the run. */
async function nextLine(db: Db, { publisherId, payRunId, leaseId }: RunLease): Promise<Line | null> {
  const { rows } = await sql<{
    group_id: string;
    currency: string;
    total_minor: string;
    is_exact: boolean;
    requested_by_kind: Actor['kind'];
    requested_by_id: string;
    requested_by_name: string;
    as_of: Date;
    ahead_ms: bigint;
    attempts: number;
  }>`
    select l.group_id, l.currency, l.total_minor, l.is_exact, l.requested_by_kind, l.requested_by_id, l.requested_by_name,
           r.as_of, ${aheadMsAt(publisherId, sql`r.as_of`)} as ahead_ms, r.attempts
    from pay_run r
    join pay_run_line l on l.publisher_id = ${publisherId} and l.pay_run_id = r.pay_run_id
    where r.publisher_id = ${publisherId} and r.pay_run_id = ${payRunId}::uuid and r.lease_id = ${leaseId}::uuid
      and l.payout_batch_id is null and l.failure_code is null
    order by l.group_id, l.currency
    limit 1`.execute(db);
  const [row] = rows;
  if (row === undefined) return null;
  return {
    groupId: row.group_id,
    currency: row.currency,
    totalMinor: BigInt(row.total_minor),
    isExact: row.is_exact,
    asOf: laterBy(row.as_of, Number(row.ahead_ms)),
    attempts: row.attempts,
    requestedBy: { kind: row.requested_by_kind, id: row.requested_by_id, name: row.requested_by_name },
  };
}

interface Failure {
  code: string;
  message: string;
  payoutChange: unknown;
}

async function createLine(
  db: Db,
  { publisherId }: RunLease,
  { groupId, currency, totalMinor, isExact, asOf, attempts, requestedBy }: Line,
  actor: Actor | null,
): Promise<PayoutBatchId> {
  if (attempts > maxAttempts)
    throw new Refusal(
      'Conflict',
      `The process that created this payout stopped ${maxAttempts} times before it was finished. Try again.`,
    );
  const isStarter = actor?.kind === requestedBy.kind && storedActorId(actor.id) === requestedBy.id;
  const by = actor !== null && isStarter ? actor : requestedBy;
  const request = { publisherId, groupId, currency, asOf, totalMinor, isExact };
  const { payouts, reductions } = await createPayout(db, by, request);
  const [created] = payouts;
  if (created === undefined) throw nothingLeft(currency, reductions);
  return created.batchId;
}

const failureOf = (error: unknown): Failure =>
  error instanceof Refusal
    ? {
        code: error.code,
        message: error.message.slice(0, maxMessageLength),
        payoutChange: error.facts.payoutChange ?? null,
      }
    : {
        code: 'UnknownError',
        message: 'The payout could not be created because of an error in the service. Try again.',
        payoutChange: null,
      };

/** Saves a line's outcome. A payout replaces any failure that another process saved for the same line. */
const saveOutcome = (
  db: Db,
  { publisherId, payRunId }: RunLease,
  { groupId, currency }: Line,
  outcome: PayoutBatchId | Failure,
): Promise<void> =>
  inTransaction(db, async (tx) => {
    const isFailure = typeof outcome !== 'string';
    await sql`
      update pay_run_line
      set payout_batch_id = ${isFailure ? null : outcome}::uuid,
          failure_code = ${isFailure ? outcome.code : null},
          failure_message = ${isFailure ? outcome.message : null},
          payout_change = ${isFailure && outcome.payoutChange !== null ? JSON.stringify(outcome.payoutChange) : null}::jsonb
      where publisher_id = ${publisherId} and pay_run_id = ${payRunId}::uuid and group_id = ${groupId}
        and currency = ${currency} and payout_batch_id is null`.execute(tx);
    await sql`
      update pay_run set attempts = 0 where publisher_id = ${publisherId} and pay_run_id = ${payRunId}::uuid`.execute(
      tx,
    );
  });

/**
 * Releases the lease, and ends the run if no line is waiting.
 * @returns false when lines have been added and the caller still has the lease and its turn
 */
const leave = (db: Db, lease: RunLease, isTurnOver: boolean): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    // `startPayRun` locks the run before adding lines, so the next read sees all of them.
    const { rows } = await sql`select 1 from pay_run where ${isOurs(lease)} for update`.execute(tx);
    if (rows.length === 0) return true;
    const { publisherId, payRunId } = lease;
    const waiting = await tx
      .selectFrom('pay_run_line')
      .select('group_id')
      .where('publisher_id', '=', publisherId)
      .where('pay_run_id', '=', payRunId)
      .where('payout_batch_id', 'is', null)
      .where('failure_code', 'is', null)
      .limit(1)
      .executeTakeFirst();
    if (waiting !== undefined && !isTurnOver) return false;
    const endedAt = waiting === undefined ? await readMoment(tx) : null;
    await sql`
      update pay_run set ended_at = ${endedAt}, lease_id = null, worked_until = null where ${isOurs(lease)}`.execute(
      tx,
    );
    return true;
  });
