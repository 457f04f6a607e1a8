import { sql } from 'kysely';
import type { Tx } from '../../platform/database/in-transaction.ts';

interface FirstPurchase {
  publisherId: string;
  playerId: string;
  /** Lowest row id of purchases that are left alone; null for none. */
  endId: string | null;
}

/**
 * Deletes the entry for a player's first purchase, so that the player counts as new again. Contributions that were already
 * counted are kept. The caller must have locked out posting, which could insert the entry again.
 * @returns the number of entries
 */
export async function forgetFirstPurchase(
  tx: Tx,
  { publisherId, playerId, endId }: FirstPurchase,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from player_first_purchase f
    where f.publisher_id = ${publisherId} and f.player_id = ${playerId}
      and (${endId}::uuid is null or exists (
        select 1
        from attribution a
        where a.publisher_id = ${publisherId} and a.transaction_id = f.transaction_id and a.split_index = 0
          and a.attribution_id < ${endId}::uuid))`.execute(tx);
  return Number(numAffectedRows ?? 0);
}
