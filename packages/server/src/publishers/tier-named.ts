import type { Db } from '../platform/database/database.ts';
import type { Tx } from '../platform/database/in-transaction.ts';
import type { TierId } from '../platform/database/tables.generated.ts';
import { Refusal } from '../platform/refusal.ts';
import { choiceOfTiers, readTierNames } from './tier-names.ts';

/** @throws Refusal InvalidInput with the names of the group's tiers */
export async function tierNamed(
  db: Db | Tx,
  publisherId: string,
  groupId: string,
  name: string,
): Promise<TierId> {
  const tier = await db
    .selectFrom('tier')
    .select('tier_id')
    .where('publisher_id', '=', publisherId)
    .where('group_id', '=', groupId)
    .where('name', '=', name)
    .executeTakeFirst();
  if (tier === undefined) {
    const choice = choiceOfTiers(await readTierNames(db, publisherId, groupId));
    throw new Refusal('InvalidInput', `group ${groupId} has no tier named ${name}; ${choice}`);
  }
  return tier.tier_id;
}
