import type { Actor } from '../audit/actor.ts';
import { recordChange } from '../audit/record-change.ts';
import { millionthsToPercent } from '../platform/percent.ts';
import { Refusal } from '../platform/refusal.ts';
import { type ProgramTx, programChanged } from '../publishers/changing-program.ts';

/**
 * Removes a SKU's share. Later purchases of the SKU earn under the remaining rules.
 * @throws Refusal NotFound when the group has no share for the SKU
 */
export async function removeSkuShare(
  tx: ProgramTx,
  actor: Actor,
  { publisherId, groupId, skuId }: { publisherId: string; groupId: string; skuId: string },
): Promise<void> {
  const removed = await tx
    .deleteFrom('sku_share')
    .where('publisher_id', '=', publisherId)
    .where('group_id', '=', groupId)
    .where('sku_id', '=', skuId)
    .returning('share_millionths')
    .executeTakeFirst();
  if (removed === undefined)
    throw new Refusal('NotFound', `The group ${groupId} has no share for the SKU ${skuId}.`);
  programChanged(tx, publisherId);
  await recordChange(tx, actor, {
    publisherId,
    action: 'sku-share.remove',
    target: `sku-share:${groupId}/${skuId}`,
    before: { revShare: millionthsToPercent(removed.share_millionths) },
    after: null,
  });
}
