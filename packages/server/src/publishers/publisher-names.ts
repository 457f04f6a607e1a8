import type { Db } from '../platform/database/database.ts';
import type { Tx } from '../platform/database/in-transaction.ts';

/** @param publisherIds only a few, such as one person's publishers */
export async function publisherNames(
  db: Db | Tx,
  publisherIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (publisherIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('publisher')
    .select(['publisher_id', 'name'])
    .where('publisher_id', 'in', publisherIds)
    .execute();
  return new Map(rows.map(({ publisher_id, name }) => [publisher_id, name]));
}
