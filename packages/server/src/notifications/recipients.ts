/** Recipient of notifications, as stored: a staff member or a channel. */
export type Recipient = `staff:${string}` | `channel:${string}`;

export const personRecipient = (userId: string): Recipient => `staff:${userId}`;
export const channelRecipient = (channelId: string): Recipient => `channel:${channelId}`;

export type ReadRecipient = { kind: 'staff'; userId: string } | { kind: 'channel'; channelId: string };

export function readRecipient(stored: string): ReadRecipient {
  const [kind = '', ...rest] = stored.split(':');
  const id = rest.join(':');
  if (kind === 'staff') return { kind, userId: id };
  if (kind === 'channel') return { kind, channelId: id };
  throw new Error(`unknown kind of recipient: ${kind}`);
}
