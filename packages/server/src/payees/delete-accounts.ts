import { sql } from 'kysely';
import { purgePublishers, rowsAtOnce } from '../api-keys/purge-publishers.ts';
import type { Db } from '../platform/database/database.ts';

/** Retention period for the account of an ended method, and for the payment files that contain it, in days. */
export const accountKeepDays = 90;

/**
 * Deletes the names, countries, and addresses or accounts of payout methods that ended 90 days ago, in batches with one
 * commit each. A method is kept while a line of an unpaid payout needs it, and for 90 days after the payout is paid. No
 * new line can use a method that has ended. Hints and fingerprints are kept.
 * @returns the number of methods
 */
export const deleteAccounts = (db: Db, now: Date, stopping: AbortSignal): Promise<number> =>
  purgePublishers(db, stopping, async (publisherId) => {
    const before = new Date(now.getTime() - accountKeepDays * 86_400_000);
    const { numAffectedRows } = await sql`
      update payee_method
      set sealed = null
      where publisher_id = ${publisherId} and method_id in (
        select p.method_id
        from payee_method p
        where p.publisher_id = ${publisherId} and p.ended_at < ${before} and p.sealed is not null
          and not exists (
            select 1
            from payout_item i
            join payout_batch b on b.publisher_id = ${publisherId} and b.batch_id = i.batch_id
            where i.publisher_id = ${publisherId} and i.method_id = p.method_id
              and (b.paid_at >= ${before}
                   or (b.status in ('Preparing', 'Created', 'Cancelling') and not exists (
                     select 1
                     from payout_result r
                     where r.publisher_id = ${publisherId} and r.item_id = i.item_id
                       and r.result in ('Paid', 'Failed', 'Returned'))))
          )
        limit ${rowsAtOnce}
      )`.execute(db);
    return Number(numAffectedRows ?? 0);
  });

/** Message for a person who wants to see an account that was deleted. */
export const accountDeleted = `Accounts are deleted ${accountKeepDays} days after a payout method has ended and its last payout has been paid.`;
