import { v7 as newUuid } from 'uuid';
import type { Actor } from '../../audit/actor.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import type { TierId } from '../../platform/database/tables.generated.ts';
import { toTierId } from '../../platform/ids.ts';
import { changingProgram } from '../../publishers/changing-program.ts';
import { findGroup } from '../../publishers/find-group.ts';
import { putTier } from './put-tier.ts';

export interface NewTier {
  publisherId: string;
  groupId: string;
  name: string;
  revShare: number;
}

/**
 * Creates a tier.
 * @throws Refusal NotFound for an unknown group; Conflict if the group already has a tier with this name
 */
export function createTier(
  db: Db,
  actor: Actor,
  { publisherId, groupId, ...terms }: NewTier,
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
