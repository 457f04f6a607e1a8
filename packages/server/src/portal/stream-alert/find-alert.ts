import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { type AlertOwner, type AlertSettings, addressEnded, hashSecret, type Placement } from './alerts.ts';

/** Minimum time between two updates of `seen_at`. */
const seenEveryMs = 30_000;

/** Stream alert of an overlay's secret. */
export interface FoundAlert extends AlertOwner {
  secretHash: Buffer;
  settings: AlertSettings;
  /** When the creator last requested a test. */
  testedAt: Date | null;
  /** When an overlay last called, accurate to half a minute; null if none has. */
  seenAt: Date | null;
}

/**
 * Returns the hash of the secret in an `Authorization` header.
 * @throws Refusal Unauthorized if the header has no secret
 */
export function hashOfHeader(authorization: string | undefined): Buffer {
  const [, secret] = /^Bearer ([0-9A-Za-z]{32})$/.exec(authorization ?? '') ?? [];
  if (secret === undefined) throw addressEnded();
  return hashSecret(secret);
}

/**
 * Finds the stream alert with a secret, and remembers that its overlay is connected.
 * @throws Refusal Unauthorized if the secret was replaced
 */
export async function findAlert(db: Db, secretHash: Buffer, now: Date): Promise<FoundAlert> {
  const found = (await readAlerts(db, [secretHash])).get(keyOf(secretHash));
  if (found === undefined) throw addressEnded();
  if (isSeenLongAgo(found, now))
    await sql`update stream_alert set seen_at = ${now} where secret_hash = ${secretHash}`.execute(db);
  return found;
}

/** Returns true if `seen_at` must be updated. */
export const isSeenLongAgo = ({ seenAt }: FoundAlert, now: Date): boolean =>
  seenAt === null || now.getTime() - seenAt.getTime() >= seenEveryMs;

/** Returns the text by which `readAlerts` finds a hash. */
export const keyOf = (secretHash: Buffer): string => secretHash.toString('base64');

/** Reads the stream alerts with the given secrets. Those that were replaced are missing. */
export async function readAlerts(
  db: Db,
  secretHashes: readonly Buffer[],
): Promise<ReadonlyMap<string, FoundAlert>> {
  const { rows } = await sql<{
    publisher_id: string;
    user_id: string;
    secret_hash: Buffer;
    text: string;
    placement: Placement;
    show_seconds: number;
    tested_at: Date | null;
    seen_at: Date | null;
  }>`
    select publisher_id, user_id, secret_hash, text, placement, show_seconds, tested_at, seen_at
    from stream_alert
    where secret_hash = any(${[...secretHashes]}::bytea[])`.execute(db);
  return new Map(
    rows.map((row) => [
      keyOf(row.secret_hash),
      {
        publisherId: row.publisher_id,
        userId: row.user_id,
        secretHash: row.secret_hash,
        settings: { text: row.text, placement: row.placement, showSeconds: row.show_seconds },
        testedAt: row.tested_at,
        seenAt: row.seen_at,
      },
    ]),
  );
}
