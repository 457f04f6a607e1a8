import type { Actor } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import { type ChannelKey, channelTarget } from './channel.ts';
import { getChannel } from './list-channels.ts';
import { lockChannels } from './lock-channels.ts';

/**
 * Enables or disables a channel. Enabling it clears its failures. A disabled channel doesn't get messages, and the
 * messages it misses aren't sent later.
 * @throws Refusal NotFound
 */
export const switchChannel = (
  db: Db,
  actor: Actor,
  { publisherId, channelId, isEnabled }: ChannelKey & { isEnabled: boolean },
): Promise<void> =>
  inTransaction(db, async (tx) => {
    await lockChannels(tx, publisherId);
    const before = await getChannel(tx, { publisherId, channelId });
    if (before.isEnabled === isEnabled && before.disabledReason === null) return;
    await tx
      .updateTable('notification_channel')
      .set({ is_enabled: isEnabled, disabled_reason: null, failure_count: 0 })
      .where('publisher_id', '=', publisherId)
      .where('channel_id', '=', channelId)
      .execute();
    await recordChange(tx, actor, {
      publisherId,
      action: isEnabled ? 'notification-channel.enable' : 'notification-channel.disable',
      target: channelTarget(channelId),
      before: { enabled: before.isEnabled, disabledReason: before.disabledReason },
      after: { enabled: isEnabled },
    });
  });
