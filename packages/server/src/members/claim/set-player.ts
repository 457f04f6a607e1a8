import type { AccountId } from '../../platform/database/tables.generated.ts';
import { type ProgramTx, programChanged } from '../../publishers/changing-program.ts';
import { lockMemberships } from '../lock-members.ts';
import type { PlayerMetadata } from '../player-metadata.ts';

export interface PlayerToSet {
  publisherId: string;
  groupId: string;
  accountId: AccountId;
  playerId: string;
  /** Member's new metadata; null leaves it unchanged. */
  playerMetadata: PlayerMetadata | null;
  /** New display name, which replaces only this property of the metadata; null leaves it unchanged. */
  displayName: string | null;
}

/** Sets a member's player id and metadata. The caller must have checked that no other member has the player id. */
export async function setPlayer(tx: ProgramTx, player: PlayerToSet): Promise<void> {
  const { publisherId, groupId, accountId, playerId, playerMetadata, displayName } = player;
  const found = await tx
    .selectFrom('membership')
    .select('membership_id')
    .where('publisher_id', '=', publisherId)
    .where('group_id', '=', groupId)
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  await lockMemberships(tx, publisherId, [found.membership_id]);
  const membership = await tx
    .selectFrom('membership')
    .select(['player_id', 'player_metadata'])
    .where('publisher_id', '=', publisherId)
    .where('membership_id', '=', found.membership_id)
    .executeTakeFirstOrThrow();
  const before = membership.player_metadata as PlayerMetadata | null;
  const base = playerMetadata ?? before;
  const metadata = displayName === null ? base : { ...base, displayName };
  if (membership.player_id === playerId && JSON.stringify(metadata) === JSON.stringify(before)) return;
  await tx
    .updateTable('membership')
    .set({ player_id: playerId, player_metadata: metadata === null ? null : JSON.stringify(metadata) })
    .where('publisher_id', '=', publisherId)
    .where('membership_id', '=', found.membership_id)
    .execute();
  programChanged(tx, publisherId);
}
