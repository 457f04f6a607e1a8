import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';
import { readMoment } from '../../../platform/database/moment.ts';
import type { PayRunId } from '../../../platform/database/tables.generated.ts';

/**
 * Duration of a run's lease. It is longer than a payout's lease (`payout-step.ts`), so that if the process dies, its
 * payout can be undone before the run continues.
 */
const leaseMs = 30_000;
const extendEveryMs = 5_000;

export const endOfRunLease = (now: Date): Date => new Date(now.getTime() + leaseMs);

/** Condition for a run with waiting lines that no process is working on. */
export const isUnattended = (now: RawBuilder<Date> | Date): RawBuilder<unknown> =>
  sql`ended_at is null and (worked_until is null or worked_until < ${now})`;

/** Exclusive right of a process to create a run's payouts. */
export interface RunLease {
  publisherId: string;
  payRunId: PayRunId;
  leaseId: string;
}

export const isOurs = ({ publisherId, payRunId, leaseId }: RunLease): RawBuilder<unknown> => sql`
  publisher_id = ${publisherId} and pay_run_id = ${payRunId}::uuid and lease_id = ${leaseId}::uuid`;

/** @returns false when another process has taken over the run */
export async function extendRunLease(db: Db, lease: RunLease): Promise<boolean> {
  const now = await readMoment(db);
  const { numAffectedRows } = await sql`
    update pay_run set worked_until = ${endOfRunLease(now)} where ${isOurs(lease)}`.execute(db);
  return numAffectedRows === 1n;
}

/** Extends a lease until the work is done, which can take minutes. */
export async function whileLeased<Result>(
  db: Db,
  lease: RunLease,
  work: () => Promise<Result>,
): Promise<Result> {
  // If this fails, the lease expires and another process continues the run.
  const timer = setInterval(() => void extendRunLease(db, lease).catch(() => undefined), extendEveryMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
