import type { Actor } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import { randomBase62 } from '../../platform/ids.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { Sealer } from '../../platform/secrets/sealer.ts';
import { liveOf } from '../../publishers/sandboxes.ts';
import { type Choice, writeChoice } from '../choices/choice.ts';
import { factsOf, requireSendable } from '../choices/put-choice.ts';
import { channelRecipient } from '../recipients.ts';
import { type ChannelKind, channelPlace, channelTarget } from './channel.ts';
import { type AddressRules, checkAddress, hintOf } from './check-address.ts';
import { listChannels, maxChannels } from './list-channels.ts';
import { lockChannels } from './lock-channels.ts';

export interface ChannelTools {
  db: Db;
  sealer: Sealer;
  rules: AddressRules;
}

export interface NewChannel {
  publisherId: string;
  kind: ChannelKind;
  name: string;
  url: string;
  choice: Choice;
}

/**
 * Adds a channel.
 * @returns its id
 * @throws Refusal InvalidInput; Conflict if the publisher already has ten channels or is a sandbox, or if the name is
 * taken
 */
export async function createChannel(
  { db, sealer, rules }: ChannelTools,
  actor: Actor,
  { publisherId, kind, name, url, choice }: NewChannel,
  now: Date,
): Promise<string> {
  requireSendable(choice);
  const address = await checkAddress(kind, url, rules);
  return inTransaction(db, async (tx) => {
    if ((await liveOf(tx, publisherId)) !== null)
      throw new Refusal(
        'Conflict',
        'A sandbox sends no notifications. Add the channel to the live publisher.',
      );
    await lockChannels(tx, publisherId);
    const existing = await listChannels(tx, publisherId);
    if (existing.length >= maxChannels)
      throw new Refusal('Conflict', `The publisher already has ${maxChannels} channels. Remove one first.`);
    refuseTakenName(existing, name, null);
    const channelId = `ch_${randomBase62(16)}`;
    await tx
      .insertInto('notification_channel')
      .values({
        publisher_id: publisherId,
        channel_id: channelId,
        kind,
        name,
        url: sealer.seal(address, channelPlace({ publisherId, channelId })),
        url_hint: hintOf(address),
        created_at: now,
      })
      .execute();
    await writeChoice(tx, { publisherId, recipient: channelRecipient(channelId) }, choice, now);
    await recordChange(tx, actor, {
      publisherId,
      action: 'notification-channel.create',
      target: channelTarget(channelId),
      after: { kind, name, address: hintOf(address), ...factsOf(choice) },
    });
    return channelId;
  });
}

/** @throws Refusal Conflict */
export function refuseTakenName(
  existing: readonly { channelId: string; name: string }[],
  name: string,
  own: string | null,
): void {
  if (existing.some((each) => each.channelId !== own && each.name === name))
    throw new Refusal('Conflict', `The publisher already has a channel named ${name}. Choose another name.`, {
      path: ['name'],
    });
}
