import { sql } from 'kysely';
import { serviceActor } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import { type ChannelKey, channelTarget } from './channel.ts';

/** Number of consecutive failed attempts after which a channel is disabled. */
const maxFailures = 10;

export async function recordPosted(db: Db, { publisherId, channelId }: ChannelKey, at: Date): Promise<void> {
  await db
    .updateTable('notification_channel')
    .set({ failure_count: 0, last_sent_at: at })
    .where('publisher_id', '=', publisherId)
    .where('channel_id', '=', channelId)
    .execute();
}

/**
 * Counts a failed attempt. After ten in a row, disables the channel. Owners are notified, and the Settings screen shows
 * the reason.
 * @param failure description of the failure, such as `HTTP 404: no_service`
 * @returns true if this call disabled the channel
 */
export const recordNotPosted = (
  db: Db,
  { publisherId, channelId }: ChannelKey,
  failure: string,
): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    const reason = `${maxFailures} attempts in a row failed. Last failure: ${failure}`.slice(0, 1_000);
    const { rows } = await sql<{ is_enabled: boolean; name: string }>`
      update notification_channel
      set failure_count = failure_count + 1,
          is_enabled = failure_count + 1 < ${maxFailures},
          disabled_reason = case when failure_count + 1 < ${maxFailures} then null else ${reason} end
      where publisher_id = ${publisherId} and channel_id = ${channelId} and is_enabled
      returning is_enabled, name`.execute(tx);
    const [row] = rows;
    if (row === undefined || row.is_enabled) return false;
    await recordChange(tx, serviceActor, {
      publisherId,
      action: 'notification-channel.disable',
      target: channelTarget(channelId),
      before: { enabled: true },
      after: { enabled: false },
      reason,
    });
    return true;
  });
