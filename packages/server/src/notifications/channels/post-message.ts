import type { Db } from '../../platform/database/database.ts';
import type { Sealer } from '../../platform/secrets/sealer.ts';
import type { Sender } from '../../webhooks/delivery/send/send-request.ts';
import type { Content } from '../content/content.ts';
import { type ChannelKey, type ChannelKind, channelPlace, noSuchChannel } from './channel.ts';
import { writeMessage } from './write-message.ts';

export interface Posted {
  isDelivered: boolean;
  /** Status of the response; null if there was none, in which case `error` contains the reason. */
  statusCode: number | null;
  error: string | null;
  durationMs: number;
  /** Start of the response, without the channel's address. */
  answer: string;
  retryAfterMs: number | null;
}

const maxAnswer = 1_000;

/**
 * Posts a message to a channel, enabled or not, in one attempt.
 * @throws Refusal NotFound
 */
export async function postMessage(
  { db, sealer, sender }: { db: Db; sealer: Sealer; sender: Sender },
  key: ChannelKey,
  content: Content,
): Promise<Posted> {
  const row = await db
    .selectFrom('notification_channel')
    .select(['kind', 'url'])
    .where('publisher_id', '=', key.publisherId)
    .where('channel_id', '=', key.channelId)
    .executeTakeFirst();
  if (row === undefined) throw noSuchChannel(key);
  const url = sealer.open(row.url, channelPlace(key));
  const attempt = await sender.send(url, {}, writeMessage(row.kind as ChannelKind, content));
  const { statusCode, error, durationMs, retryAfterMs } = attempt;
  return {
    // Slack responds with 200, Discord with 204.
    isDelivered: statusCode !== null && statusCode >= 200 && statusCode < 300,
    statusCode,
    error: error === null ? null : withoutAddress(error, url),
    durationMs,
    answer: withoutAddress(attempt.answer.toString('utf8'), url).slice(0, maxAnswer),
    retryAfterMs,
  };
}

/** Removes the following from external text: the address, its path, and characters that can't be stored. */
function withoutAddress(text: string, url: string): string {
  const { pathname } = new URL(url);
  const secrets = [url, pathname, ...pathname.split('/').filter((part) => part.length >= 8)];
  return secrets
    .filter((secret) => secret.length > 1)
    .reduce((left, secret) => left.replaceAll(secret, '…'), text)
    .replaceAll('\0', '')
    .toWellFormed();
}
