import type { Db } from '../../platform/database/database.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import { readChoice, readChoices } from '../choices/choice.ts';
import { channelRecipient } from '../recipients.ts';
import { lastFailures } from '../send/last-failures.ts';
import { type Channel, type ChannelKey, type ChannelKind, noSuchChannel } from './channel.ts';

/** Maximum number of channels per publisher. */
export const maxChannels = 10;

/** Lists a publisher's channels, oldest first. */
export const listChannels = (db: Db | Tx, publisherId: string): Promise<Channel[]> =>
  read(db, publisherId, null);

/** @throws Refusal NotFound */
export async function getChannel(db: Db | Tx, key: ChannelKey): Promise<Channel> {
  const [found] = await read(db, key.publisherId, key.channelId);
  if (found === undefined) throw noSuchChannel(key);
  return found;
}

/** Returns the ids of the enabled channels. */
export async function listChannelIds(db: Db | Tx, publisherId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('notification_channel')
    .select('channel_id')
    .where('publisher_id', '=', publisherId)
    .where('is_enabled', '=', true)
    .orderBy('channel_id')
    .execute();
  return rows.map(({ channel_id }) => channel_id);
}

async function read(db: Db | Tx, publisherId: string, channelId: string | null): Promise<Channel[]> {
  let query = db
    .selectFrom('notification_channel')
    .select([
      'channel_id',
      'kind',
      'name',
      'url_hint',
      'is_enabled',
      'disabled_reason',
      'failure_count',
      'last_sent_at',
      'created_at',
    ])
    .where('publisher_id', '=', publisherId);
  if (channelId !== null) query = query.where('channel_id', '=', channelId);
  const rows = await query.orderBy('created_at').orderBy('channel_id').execute();
  const choices = await readChoices(
    db,
    publisherId,
    rows.map(({ channel_id }) => channelRecipient(channel_id)),
  );
  const failures = await lastFailures(
    db,
    publisherId,
    rows.filter((row) => row.failure_count > 0).map(({ channel_id }) => channelRecipient(channel_id)),
  );
  return Promise.all(
    rows.map(async (row) => {
      const recipient = channelRecipient(row.channel_id);
      return {
        channelId: row.channel_id,
        kind: row.kind as ChannelKind,
        name: row.name,
        urlHint: row.url_hint,
        isEnabled: row.is_enabled,
        disabledReason: row.disabled_reason,
        failureCount: row.failure_count,
        lastFailure: failures.get(recipient) ?? null,
        lastSentAt: row.last_sent_at,
        createdAt: row.created_at,
        choice: choices.get(recipient) ?? (await readChoice(db, publisherId, recipient)),
      };
    }),
  );
}
