import { sql } from 'kysely';
import { moment } from '../platform/database/moment.ts';
import { isAbandoned } from './payouts/resume-payouts.ts';
import { isUnattended } from './payouts/runs/run-lease.ts';

/** Scalar SQL expression for the oldest recording that is waiting to be posted. */
export const oldestUnposted = sql`(select recording_id from unposted order by recording_id limit 1)`;

const payouts = sql`(select count(*) from payout_batch where ${isAbandoned(moment)})`;
const runs = sql`(select count(*) from pay_run where ${isUnattended(moment)})`;

/**
 * Number of unfinished payouts and pay runs that no worker is processing. Any free worker resumes them within seconds.
 */
export const unattendedPayouts = sql`(${payouts} + ${runs})`;

/** Number of publishers whose last ledger verification found a difference. */
export const unexplainedLedgers = sql`(
  select count(*)
  from (
    select distinct on (publisher_id) status
    from ledger_verification
    where status in ('Sound', 'NotExplained')
    order by publisher_id, ended_at desc
  ) last_proof
  where status = 'NotExplained')`;
