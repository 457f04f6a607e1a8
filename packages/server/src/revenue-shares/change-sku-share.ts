import type { Actor } from '../audit/actor.ts';
import type { Db } from '../platform/database/database.ts';
import { inTransaction } from '../platform/database/in-transaction.ts';
import { refuseStaleEdit } from '../platform/version.ts';
import { changingProgram } from '../publishers/changing-program.ts';
import { findGroup } from '../publishers/find-group.ts';
import { putSkuShare } from './put-sku-share.ts';
import { readSkuShare, type SkuShareKey } from './read-sku-shares.ts';

export interface SkuShareChange extends SkuShareKey {
  revShare: number;
  /** Version that the edit is based on; null to create the share. */
  version: string | null;
}

/**
 * Creates or changes a SKU's share.
 * @throws Refusal NotFound for an unknown group; Stale for a stale edit
 */
export async function changeSkuShare(
  db: Db,
  actor: Actor,
  { version, revShare, ...key }: SkuShareChange,
): Promise<void> {
  const { publisherId, groupId, skuId } = key;
  await inTransaction(db, (tx) =>
    changingProgram(tx, publisherId, async (tx) => {
      await findGroup(tx, publisherId, groupId);
      const before = await readSkuShare(tx, key);
      refuseStaleEdit(`The share of the SKU ${skuId}`, version, before?.version ?? null);
      await putSkuShare(tx, actor, { ...key, revShare });
    }),
  );
}
