import type { Actor } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import { refuseStaleEdit } from '../../platform/version.ts';
import { type Choice, versionOfChoice, writeChoice } from '../choices/choice.ts';
import { factsOf, requireSendable } from '../choices/put-choice.ts';
import { channelRecipient } from '../recipients.ts';
import { type ChannelKey, channelPlace, channelTarget, channelVersion } from './channel.ts';
import { checkAddress, hintOf } from './check-address.ts';
import { type ChannelTools, refuseTakenName } from './create-channel.ts';
import { getChannel, listChannels } from './list-channels.ts';
import { lockChannels } from './lock-channels.ts';

export interface ChannelChange {
  version: string;
  name: string;
  /** Absent to keep the address. */
  url?: string | undefined;
  choice: Choice;
}

/**
 * Changes a channel. A new address also clears the failures of the old one.
 * @throws Refusal NotFound, InvalidInput, Conflict, Stale
 */
export async function changeChannel(
  { db, sealer, rules }: ChannelTools,
  actor: Actor,
  { publisherId, channelId, version, name, url, choice }: ChannelKey & ChannelChange,
  now: Date,
): Promise<void> {
  requireSendable(choice);
  const key = { publisherId, channelId };
  const { kind } = await getChannel(db, key);
  const address = url === undefined ? null : await checkAddress(kind, url, rules);
  await inTransaction(db, async (tx) => {
    await lockChannels(tx, publisherId);
    const before = await getChannel(tx, key);
    refuseStaleEdit(`The channel ${before.name}`, version, channelVersion(before));
    refuseTakenName(await listChannels(tx, publisherId), name, channelId);
    const isSame = name === before.name && versionOfChoice(choice) === versionOfChoice(before.choice);
    if (isSame && address === null) return;
    await tx
      .updateTable('notification_channel')
      .set({
        name,
        ...(address !== null && {
          url: sealer.seal(address, channelPlace(key)),
          url_hint: hintOf(address),
          failure_count: 0,
        }),
      })
      .where('publisher_id', '=', publisherId)
      .where('channel_id', '=', channelId)
      .execute();
    if (versionOfChoice(choice) !== versionOfChoice(before.choice))
      await writeChoice(tx, { publisherId, recipient: channelRecipient(channelId) }, choice, now);
    await recordChange(tx, actor, {
      publisherId,
      action: 'notification-channel.change',
      target: channelTarget(channelId),
      before: { name: before.name, address: before.urlHint, ...factsOf(before.choice) },
      after: { name, address: address === null ? before.urlHint : hintOf(address), ...factsOf(choice) },
    });
  });
}
