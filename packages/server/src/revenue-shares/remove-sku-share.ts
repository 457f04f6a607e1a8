import type { Actor } from '../audit/actor.ts';
import { recordChange } from '../audit/record-change.ts';
import type { Db } from '../platform/database/database.ts';
import { inTransaction } from '../platform/database/in-transaction.ts';
import { Refusal } from '../platform/refusal.ts';
import { refuseStaleEdit } from '../platform/version.ts';
import { changingProgram, type ProgramTx, programChanged } from '../publishers/changing-program.ts';
import { readSkuShare, type SkuShareKey } from './read-sku-shares.ts';

/**
 * Removes a SKU's share. Later purchases of the SKU earn shares under the remaining rules.
 * @throws Refusal NotFound if the group has no share for the SKU; Stale for a stale edit
 */
export function removeSkuShare(
  db: Db,
  actor: Actor,
  { version, ...key }: SkuShareKey & { version: string },
): Promise<void> {
  const { publisherId, groupId, skuId } = key;
  return inTransaction(db, (tx) =>
    changingProgram(tx, publisherId, async (tx: ProgramTx) => {
      const before = await readSkuShare(tx, key);
      if (before === null) throw new Refusal('NotFound', `Group ${groupId} has no share for SKU ${skuId}.`);
      refuseStaleEdit(`The share of the SKU ${skuId}`, version, before.version);
      await tx
        .deleteFrom('sku_share')
        .where('publisher_id', '=', publisherId)
        .where('group_id', '=', groupId)
        .where('sku_id', '=', skuId)
        .execute();
      programChanged(tx, publisherId);
      await recordChange(tx, actor, {
        publisherId,
        action: 'sku-share.remove',
        target: `sku-share:${groupId}/${skuId}`,
        before: { revShare: before.revShare },
        after: null,
      });
    }),
  );
}
