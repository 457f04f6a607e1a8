import { Refusal } from '../../platform/refusal.ts';
import { versionOf } from '../../platform/version.ts';
import { type Choice, versionOfChoice } from '../choices/choice.ts';

export const channelKinds = ['slack', 'discord'] as const;
export type ChannelKind = (typeof channelKinds)[number];

export interface Channel {
  channelId: string;
  kind: ChannelKind;
  name: string;
  /** Host and last few characters of the address. The full address is never shown. */
  urlHint: string;
  isEnabled: boolean;
  /** Reason why the service disabled the channel; null otherwise. */
  disabledReason: string | null;
  /** Number of failed attempts since the last success. */
  failureCount: number;
  /** Reason why the last message couldn't be sent; null without failures. */
  lastFailure: string | null;
  lastSentAt: Date | null;
  createdAt: Date;
  choice: Choice;
}

export interface ChannelKey {
  publisherId: string;
  channelId: string;
}

/** Returns a channel's version, which is used to detect stale edits. */
export const channelVersion = ({
  name,
  urlHint,
  choice,
}: Pick<Channel, 'name' | 'urlHint' | 'choice'>): string =>
  versionOf([name, urlHint, versionOfChoice(choice)]);

export const channelTarget = (channelId: string): string => `notification-channel:${channelId}`;

/** Returns the place that a channel's sealed address is bound to. */
export const channelPlace = ({ publisherId, channelId }: ChannelKey): readonly string[] => [
  'notification_channel',
  publisherId,
  channelId,
];

export const noSuchChannel = ({ publisherId, channelId }: ChannelKey): Refusal =>
  new Refusal('NotFound', `Publisher ${publisherId} has no channel ${channelId}.`);
