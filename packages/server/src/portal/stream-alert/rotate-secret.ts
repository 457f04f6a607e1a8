import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { randomBase62 } from '../../platform/ids.ts';
import { type AlertOwner, firstSettings, hashSecret } from './alerts.ts';

/**
 * Creates a person's stream alert, or gives it a new secret, which ends the previous one.
 * @returns the secret, which is not stored
 */
export async function rotateSecret(db: Db, { publisherId, userId }: AlertOwner, now: Date): Promise<string> {
  const secret = randomBase62(32);
  const { text, placement, showSeconds } = firstSettings;
  await sql`
    insert into stream_alert (publisher_id, user_id, secret_hash, created_at, text, placement, show_seconds)
    values (${publisherId}, ${userId}, ${hashSecret(secret)}, ${now}, ${text}, ${placement}, ${showSeconds})
    on conflict (publisher_id, user_id) do update
    set secret_hash = excluded.secret_hash, created_at = excluded.created_at, tested_at = null, seen_at = null`.execute(
    db,
  );
  return secret;
}
