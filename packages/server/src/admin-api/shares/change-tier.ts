import { v7 as newUuid } from 'uuid';
import type { Actor } from '../../audit/actor.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import type { TierId } from '../../platform/database/tables.generated.ts';
import { toTierId } from '../../platform/ids.ts';
import { Refusal } from '../../platform/refusal.ts';
import { refuseStaleEdit } from '../../platform/version.ts';
import { changingProgram } from '../../publishers/changing-program.ts';
import { findGroup } from '../../publishers/find-group.ts';
import { putTier } from '../../revenue-shares/tiers/put-tier.ts';
import { readTier } from './read-tiers.ts';

export interface TierTerms {
  name: string;
  revShare: number;
}

/**
 * Creates a tier.
 * @throws Refusal NotFound for an unknown group, Conflict when the group has a tier with this name
 */
export function createTier(
  db: Db,
  actor: Actor,
  { publisherId, groupId, ...terms }: TierTerms & { publisherId: string; groupId: string },
): Promise<TierId> {
  const tierId = toTierId(newUuid());
  return inTransaction(db, (tx) =>
    changingProgram(tx, publisherId, async (tx) => {
      await findGroup(tx, publisherId, groupId);
      await putTier(tx, actor, { publisherId, groupId, id: tierId, ...terms });
      return tierId;
    }),
  );
}

export interface TierChange extends TierTerms {
  publisherId: string;
  tierId: TierId;
  version: string;
}

/**
 * Changes the name and share of a tier.
 * @throws Refusal NotFound, or Conflict for a stale edit or when another tier has the name
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
      refuseStaleEdit(`The tier ${before.name}`, version, before.version);
      await putTier(tx, actor, { publisherId, groupId: before.groupId, id: tierId, ...terms });
    }),
  );
}
