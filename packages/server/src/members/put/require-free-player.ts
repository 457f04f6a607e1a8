import { Refusal } from '../../platform/refusal.ts';
import type { ProgramTx } from '../../publishers/changing-program.ts';
import type { MemberInput } from './member-input.ts';

type NamedPlayer = Pick<MemberInput, 'id' | 'playerId'>;

/**
 * Members that are not Removed have a player id of their own in the group. Nobody takes one while the program is
 * changed; the constraint `membership_one_player` says the same, but ends the transaction, and nothing that comes after
 * in a file could be looked at.
 * @param kept the player id of the member when the input names none
 * @throws Refusal Conflict when another member has it
 */
export async function requireFreePlayer(
  tx: ProgramTx,
  { publisherId, groupId }: { publisherId: string; groupId: string },
  input: NamedPlayer,
  kept: string | null,
): Promise<void> {
  const playerId = input.playerId ?? kept;
  if (playerId === null) return;
  const holder = await tx
    .selectFrom('membership')
    .select('account_id')
    .where('publisher_id', '=', publisherId)
    .where('group_id', '=', groupId)
    .where('player_id', '=', playerId)
    .where('status', '<>', 'Removed')
    .executeTakeFirst();
  if (holder !== undefined && holder.account_id !== input.id) throw playerTaken(groupId, input);
}

export const playerTaken = (groupId: string, { id, playerId }: NamedPlayer): Refusal =>
  new Refusal('Conflict', `another member of group ${groupId} has the playerId ${playerId ?? `of ${id}`}`, {
    path: playerId === undefined ? [] : ['playerId'],
  });
