import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { KeyId } from '../../platform/database/tables.generated.ts';

export interface RequestCount {
  keyId: KeyId;
  method: string;
  route: string;
  status: number;
  /** Error code; empty for accepted requests. */
  code: string;
  times: number;
}

const hourMs = 3_600_000;

/** Start of the hour (UTC) that contains a time. */
export const hourOf = (at: Date): Date => new Date(Math.floor(at.getTime() / hourMs) * hourMs);

/** Adds counts to a publisher's sums for the current hour, in one statement. */
export async function saveCounts(
  db: Db,
  publisherId: string,
  counts: readonly RequestCount[],
  now: Date,
): Promise<void> {
  if (counts.length === 0) return;
  // Use a fixed order, so that processes saving the same sums can't deadlock.
  const sorted = [...counts].sort((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1));
  await db
    .insertInto('request_count')
    .values(
      sorted.map(({ keyId, method, route, status, code, times }) => ({
        publisher_id: publisherId,
        hour: hourOf(now),
        key_id: keyId,
        method,
        route,
        status,
        code,
        times: BigInt(times),
        last_at: now,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['publisher_id', 'hour', 'key_id', 'method', 'route', 'status', 'code']).doUpdateSet({
        times: sql`request_count.times + excluded.times`,
        last_at: sql`greatest(request_count.last_at, excluded.last_at)`,
      }),
    )
    .execute();
}

const sortKey = ({ keyId, method, route, status, code }: RequestCount): string =>
  `${keyId} ${method} ${route} ${status} ${code}`;
