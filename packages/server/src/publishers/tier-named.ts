import type { Db } from '../platform/database/database.ts';
import type { Tx } from '../platform/database/in-transaction.ts';
import type { TierId } from '../platform/database/tables.generated.ts';
import { Refusal } from '../platform/refusal.ts';

/** @throws Refusal InvalidInput when the group has no tier of this name */
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
  if (tier === undefined) throw new Refusal('InvalidInput', `the group ${groupId} has no tier named ${name}`);
  return tier.tier_id;
}
