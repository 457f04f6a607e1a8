import type { Actor } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import type { Sealer } from '../../platform/secrets/sealer.ts';
import { publisherNames } from '../../publishers/publisher-names.ts';
import type { Sender } from '../../webhooks/delivery/send/send-request.ts';
import { pageUrl } from '../content/content.ts';
import { type ChannelKey, channelTarget } from './channel.ts';
import { getChannel } from './list-channels.ts';
import { type Posted, postMessage } from './post-message.ts';

interface TestTools {
  db: Db;
  sealer: Sealer;
  sender: Sender;
  origin: string;
}

/**
 * Sends a test message to a channel immediately, even if the channel is disabled, with a single attempt.
 * @throws Refusal NotFound
 */
export async function testChannel(tools: TestTools, actor: Actor, key: ChannelKey): Promise<Posted> {
  const { db, origin } = tools;
  const { publisherId, channelId } = key;
  await getChannel(db, key);
  const name = (await publisherNames(db, [publisherId])).get(publisherId) ?? publisherId;
  await inTransaction(db, (tx) =>
    recordChange(tx, actor, {
      publisherId,
      action: 'notification-channel.test',
      target: channelTarget(channelId),
    }),
  );
  return postMessage(tools, key, {
    subject: `${name}: test message`,
    blocks: ['This channel is set up. Notifications from the creator program will arrive here.'],
    link: { label: 'Open Settings', url: pageUrl(origin, publisherId, 'settings') },
  });
}
