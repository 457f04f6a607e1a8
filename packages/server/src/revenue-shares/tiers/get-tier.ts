import type { Db } from '../../platform/database/database.ts';
import type { TierId } from '../../platform/database/tables.generated.ts';
import { isRowId } from '../../platform/ids.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { Tier } from './list-tiers.ts';

/**
 * Reads a tier.
 * @throws Refusal NotFound when the group has no such tier
 */
export async function getTier(db: Db, publisherId: string, groupId: string, tierId: TierId): Promise<Tier> {
  const row = isRowId(tierId)
    ? await db
        .selectFrom('tier')
        .select(['tier_id', 'name', 'share_millionths'])
        .where('publisher_id', '=', publisherId)
        .where('group_id', '=', groupId)
        .where('tier_id', '=', tierId)
        .executeTakeFirst()
    : undefined;
  if (row === undefined) throw new Refusal('NotFound', 'The creator group has no tier with this id.');
  return { tierId: row.tier_id, name: row.name, shareMillionths: row.share_millionths };
}
