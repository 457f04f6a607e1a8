import { sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';
import type { VerificationId } from '../../../platform/database/tables.generated.ts';
import { readLedger, type ZeroSum } from '../../read-ledger.ts';
import { getVerification, type Verification } from '../../verify/jobs/read-verifications.ts';
import type { MonthSpan } from './month-span.ts';

/** Evidence that a month's ledger entries are correct. */
export interface MonthProof {
  zeroSums: ZeroSum[];
  /** First verification that passed and began after the span, preferably a full one; null if there is none. */
  verification: Verification | null;
  /** Last verification, if it found a discrepancy. */
  fault: Verification | null;
  /**
   * Time of the last verification of any kind that passed, including from the command line; null if there was none
   * after the span.
   */
  lastProvenAt: Date | null;
}

export async function readMonthProof(db: Db, { publisherId, entriesBefore }: MonthSpan): Promise<MonthProof> {
  const { zeroSums, proven } = await readLedger(db, publisherId);
  const { rows } = await sql<{ verification_id: VerificationId; status: string }>`
    (select verification_id, status
     from ledger_verification
     where publisher_id = ${publisherId} and status = 'Sound' and started_at >= ${entriesBefore}
     order by looks_at_all desc, verification_id
     limit 1)
    union all
    (select verification_id, status
     from ledger_verification
     where publisher_id = ${publisherId} and status in ('Sound', 'NotExplained')
     order by verification_id desc
     limit 1)`.execute(db);
  const sound = rows[0]?.status === 'Sound' ? rows[0] : undefined;
  const last = rows.at(-1);
  const isSoundAfter = rows.length === 2;
  return {
    zeroSums,
    verification:
      isSoundAfter && sound !== undefined
        ? await getVerification(db, publisherId, sound.verification_id)
        : null,
    fault:
      last?.status === 'NotExplained' ? await getVerification(db, publisherId, last.verification_id) : null,
    lastProvenAt: proven !== null && proven.lastAt >= entriesBefore ? proven.lastAt : null,
  };
}
