import type { Actor } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import { channelRecipient } from '../recipients.ts';
import { type ChannelKey, channelTarget } from './channel.ts';
import { getChannel } from './list-channels.ts';
import { lockChannels } from './lock-channels.ts';

/** Removes a channel and its address. @throws Refusal NotFound */
export const removeChannel = (db: Db, actor: Actor, { publisherId, channelId }: ChannelKey): Promise<void> =>
  inTransaction(db, async (tx) => {
    await lockChannels(tx, publisherId);
    const { name, kind, urlHint } = await getChannel(tx, { publisherId, channelId });
    await tx
      .deleteFrom('notification_choice')
      .where('publisher_id', '=', publisherId)
      .where('recipient', '=', channelRecipient(channelId))
      .execute();
    await tx
      .deleteFrom('notification_channel')
      .where('publisher_id', '=', publisherId)
      .where('channel_id', '=', channelId)
      .execute();
    await recordChange(tx, actor, {
      publisherId,
      action: 'notification-channel.remove',
      target: channelTarget(channelId),
      before: { kind, name, address: urlHint },
    });
  });
