import { Refusal } from '../../platform/refusal.ts';
import type { ProgramTx } from '../../publishers/changing-program.ts';
import type { MemberInput } from './member-input.ts';

type PlayerInput = Pick<MemberInput, 'id' | 'playerId'>;

/**
 * Requires that no other Approved or Pending member of the group has the player id. The constraint
 * `membership_one_player` also guarantees this, but a violation aborts the transaction, so the rest of a program file
 * couldn't be checked. No other transaction can take the player id while this one changes the program.
 * @param current the member's player id, for an input without a player id
 * @throws Refusal Conflict
 */
export async function requireFreePlayer(
  tx: ProgramTx,
  { publisherId, groupId }: { publisherId: string; groupId: string },
  input: PlayerInput,
  current: string | null,
): Promise<void> {
  const playerId = input.playerId ?? current;
  if (playerId === null) return;
  const owner = await tx
    .selectFrom('membership')
    .select('account_id')
    .where('publisher_id', '=', publisherId)
    .where('group_id', '=', groupId)
    .where('player_id', '=', playerId)
    .where('status', '<>', 'Removed')
    .executeTakeFirst();
  if (owner !== undefined && owner.account_id !== input.id) throw playerTaken(groupId, input);
}

export const playerTaken = (groupId: string, { id, playerId }: PlayerInput): Refusal =>
  new Refusal('Conflict', `another member of group ${groupId} has the playerId ${playerId ?? `of ${id}`}`, {
    path: playerId === undefined ? [] : ['playerId'],
  });
