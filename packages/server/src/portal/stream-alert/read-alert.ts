import type { Db } from '../../platform/database/database.ts';
import type { AlertOwner, AlertSettings, Placement } from './alerts.ts';

/** Time since the last call of an overlay for which it counts as connected. Overlays call at least every 25 seconds. */
const connectedMs = 75_000;

/** Stream alert as shown to its owner, without the secret. */
export interface OwnAlert extends AlertSettings {
  createdAt: Date;
  /** Accurate to half a minute; null if no overlay has used the address. */
  seenAt: Date | null;
  isConnected: boolean;
}

/** @returns null if the person has no stream alert at the publisher */
export async function readAlert(
  db: Db,
  { publisherId, userId }: AlertOwner,
  now: Date,
): Promise<OwnAlert | null> {
  const row = await db
    .selectFrom('stream_alert')
    .select(['created_at', 'text', 'placement', 'show_seconds', 'seen_at'])
    .where('publisher_id', '=', publisherId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    createdAt: row.created_at,
    text: row.text,
    placement: row.placement as Placement,
    showSeconds: row.show_seconds,
    seenAt: row.seen_at,
    isConnected: row.seen_at !== null && now.getTime() - row.seen_at.getTime() < connectedMs,
  };
}
