import { sql } from 'kysely';
import { purgePublishers, rowsAtOnce } from '../../api-keys/purge-publishers.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import type { AccountId } from '../../platform/database/tables.generated.ts';

/** Deletes emails about payout methods whose links have expired, in batches with one commit each. */
export const purgeNotices = (db: Db, now: Date, stopping: AbortSignal): Promise<number> =>
  purgePublishers(db, stopping, async (publisherId) => {
    const { numAffectedRows } = await sql`
      delete from payee_notice
      where publisher_id = ${publisherId} and notice_id in (
        select notice_id
        from payee_notice
        where publisher_id = ${publisherId} and expires_at <= ${now}
        limit ${rowsAtOnce}
      )`.execute(db);
    return Number(numAffectedRows ?? 0n);
  });

/** Deletes the emails about the payout methods of erased creators. @returns the number of rows deleted */
export async function eraseNotices(
  tx: Tx,
  publisherId: string,
  accountIds: readonly AccountId[],
): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('payee_notice')
    .where('publisher_id', '=', publisherId)
    .where('account_id', 'in', [...accountIds])
    .executeTakeFirst();
  return Number(numDeletedRows);
}
