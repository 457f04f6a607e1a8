import type { Db } from '../platform/database/database.ts';
import type { Tx } from '../platform/database/in-transaction.ts';

/** Maximum number of tiers that a message names. */
const maxNamed = 20;

/** Returns the names of a group's tiers, lowest share first. */
export async function readTierNames(db: Db | Tx, publisherId: string, groupId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('tier')
    .select('name')
    .where('publisher_id', '=', publisherId)
    .where('group_id', '=', groupId)
    .orderBy('share_millionths')
    .orderBy('name')
    .execute();
  return rows.map(({ name }) => name);
}

export function choiceOfTiers(names: readonly string[]): string {
  if (names.length === 0) return 'it has no tiers';
  const named = names.slice(0, maxNamed).join(', ');
  return `use one of ${named}${names.length > maxNamed ? ` and ${names.length - maxNamed} more` : ''}`;
}
