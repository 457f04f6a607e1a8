import { sql } from 'kysely';
import { moment } from '../platform/database/moment.ts';
import { isAbandoned } from './payouts/resume-payouts.ts';

/** The oldest recording that waits to be posted, as a scalar in SQL. */
export const oldestUnposted = sql`(select recording_id from unposted order by recording_id limit 1)`;

/** Payouts under way that nobody works on; the next worker takes them, within seconds. */
export const unattendedPayouts = sql`(select count(*) from payout_batch where ${isAbandoned(moment)})`;

/** Publishers whose last proof of their ledger found something that is not explained. */
export const unexplainedLedgers = sql`(
  select count(*)
  from (
    select distinct on (publisher_id) status
    from ledger_verification
    where status in ('Sound', 'NotExplained')
    order by publisher_id, ended_at desc
  ) last_proof
  where status = 'NotExplained')`;
