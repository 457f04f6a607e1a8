import type { Actor } from '../../audit/actor.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import type { TierId } from '../../platform/database/tables.generated.ts';
import { Refusal } from '../../platform/refusal.ts';
import { refuseStaleEdit } from '../../platform/version.ts';
import { changingProgram } from '../../publishers/changing-program.ts';
import { putTier } from './put-tier.ts';
import { readTier } from './read-tiers.ts';

export interface TierChange {
  publisherId: string;
  tierId: TierId;
  /** Version that the edit is based on. */
  version: string;
  name: string;
  revShare: number;
}

/**
 * Changes a tier's name and share.
 * @throws Refusal NotFound for an unknown tier; Stale for a stale edit; Conflict if another tier already has this name
 */
export async function changeTier(
  db: Db,
  actor: Actor,
  { publisherId, tierId, version, ...terms }: TierChange,
): Promise<void> {
  await inTransaction(db, (tx) =>
    changingProgram(tx, publisherId, async (tx) => {
      const before = await readTier(tx, publisherId, tierId);
      if (before === null) throw new Refusal('NotFound', 'The publisher has no tier with this id.');
      refuseStaleEdit(`Tier ${before.name}`, version, before.version);
      await putTier(tx, actor, { publisherId, groupId: before.groupId, id: tierId, ...terms });
    }),
  );
}
