import type { Db } from '../../platform/database/database.ts';
import type { KeyId } from '../../platform/database/tables.generated.ts';

/** Property or parameter that was ignored in requests with a key. */
export interface ReadIgnored {
  /** `operationId` in the OpenAPI document. */
  operation: string;
  name: string;
  times: number;
  /** Accurate to the minute. */
  lastAt: Date;
}

/** Maximum number of names to return per key. */
const maxShown = 10;

/** Reads the ignored properties and parameters of each key, latest first. */
export async function readIgnored(
  db: Db,
  publisherId: string,
  keyIds: readonly KeyId[],
): Promise<Map<KeyId, ReadIgnored[]>> {
  if (keyIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('ignored_input')
    .select(['key_id', 'operation', 'name', 'times', 'last_at'])
    .where('publisher_id', '=', publisherId)
    .where('key_id', 'in', keyIds)
    .orderBy('last_at', 'desc')
    .orderBy('operation')
    .orderBy('name')
    .execute();
  const byKey = Map.groupBy(rows, (row) => row.key_id as KeyId);
  return new Map(
    [...byKey].map(([keyId, ofKey]) => [
      keyId,
      ofKey.slice(0, maxShown).map(({ operation, name, times, last_at }) => ({
        operation,
        name,
        times: Number(times),
        lastAt: last_at,
      })),
    ]),
  );
}
