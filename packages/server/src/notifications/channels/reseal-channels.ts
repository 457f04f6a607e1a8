import { sql } from 'kysely';
import type { Actor } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import type { Sealer } from '../../platform/secrets/sealer.ts';
import { channelPlace } from './channel.ts';

/**
 * Reseals channels' addresses with the sealer's first key if they were sealed with another. Uses one commit and audit
 * entry for each publisher and its channels (at most ten).
 * @returns the number of channels resealed, and the number whose addresses can't be opened with any key
 */
export async function resealChannels(
  db: Db,
  sealer: Sealer,
  actor: Actor,
): Promise<{ sealed: number; lost: number }> {
  const { rows } = await sql<{ publisher_id: string }>`
    select distinct publisher_id
    from notification_channel
    where url not like ${`${sealer.currentPrefix}%`}
    order by publisher_id`.execute(db);
  const counts = { sealed: 0, lost: 0 };
  for (const { publisher_id: publisherId } of rows) {
    const { sealed, lost } = await inTransaction(db, async (tx) => {
      const { rows: found } = await sql<{ channel_id: string; url: string }>`
        select channel_id, url
        from notification_channel
        where publisher_id = ${publisherId} and url not like ${`${sealer.currentPrefix}%`}
        order by channel_id
        for update`.execute(tx);
      const openable = found.filter(({ url }) => sealer.stateOf(url) !== 'unknown-key');
      for (const { channel_id: channelId, url } of openable) {
        const place = channelPlace({ publisherId, channelId });
        await tx
          .updateTable('notification_channel')
          .set({ url: sealer.seal(sealer.open(url, place), place) })
          .where('publisher_id', '=', publisherId)
          .where('channel_id', '=', channelId)
          .execute();
      }
      if (openable.length > 0)
        await recordChange(tx, actor, {
          publisherId,
          action: 'notification-channel.reseal',
          target: `publisher:${publisherId}`,
          after: { channels: openable.map(({ channel_id }) => channel_id) },
        });
      return { sealed: openable.length, lost: found.length - openable.length };
    });
    counts.sealed += sealed;
    counts.lost += lost;
  }
  return counts;
}
