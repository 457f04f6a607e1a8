import { sql } from 'kysely';
import { purgePublishers, rowsAtOnce } from '../api-keys/purge-publishers.ts';
import type { Db } from '../platform/database/database.ts';
import type { Tx } from '../platform/database/in-transaction.ts';
import type { AccountId } from '../platform/database/tables.generated.ts';

/** Deletes old emails to creators, in batches with one commit each. Links that take a change back have expired by then. */
export const purgeNotices = (db: Db, now: Date, stopping: AbortSignal): Promise<number> =>
  purgePublishers(db, stopping, async (publisherId) => {
    const { numAffectedRows } = await sql`
      delete from creator_notice
      where publisher_id = ${publisherId} and notice_id in (
        select notice_id
        from creator_notice
        where publisher_id = ${publisherId} and expires_at <= ${now}
        limit ${rowsAtOnce}
      )`.execute(db);
    return Number(numAffectedRows ?? 0n);
  });

/** Deletes the emails to erased creators. @returns the number of rows deleted */
export async function eraseNotices(
  tx: Tx,
  publisherId: string,
  accountIds: readonly AccountId[],
): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('creator_notice')
    .where('publisher_id', '=', publisherId)
    .where('account_id', 'in', [...accountIds])
    .executeTakeFirst();
  return Number(numDeletedRows);
}

export interface TakenBack {
  publisherId: string;
  accountIds: readonly AccountId[];
  /** Time of the earliest change that is taken back. */
  since: Date;
  now: Date;
}

/** Marks the links of all changes of payout methods that are taken back, so that none of them is used again. */
export async function markTakenBack(
  tx: Tx,
  { publisherId, accountIds, since, now }: TakenBack,
): Promise<void> {
  await tx
    .updateTable('creator_notice')
    .set({ taken_back_at: now })
    .where('publisher_id', '=', publisherId)
    .where('account_id', 'in', [...accountIds])
    .where('method_id', 'is not', null)
    .where('changed_at', '>=', since)
    .where('taken_back_at', 'is', null)
    .execute();
}
