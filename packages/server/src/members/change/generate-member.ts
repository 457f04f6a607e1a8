import { sql } from 'kysely';
import type { Actor } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Db } from '../../platform/database/database.ts';
import { violatedConstraint } from '../../platform/database/database-errors.ts';
import { inTransaction, type Tx } from '../../platform/database/in-transaction.ts';
import type { MembershipId } from '../../platform/database/tables.generated.ts';
import { newRowId, randomBase62, randomReadable, toAccountId } from '../../platform/ids.ts';
import { Refusal } from '../../platform/refusal.ts';
import { addingToProgram, type ProgramTx } from '../../publishers/changing-program.ts';
import { checkPlayerMetadata, type PlayerMetadata } from '../player-metadata.ts';
import { codesOf } from '../read/member-record.ts';
import { foldCode } from '../read/resolve-codes.ts';
import { standing } from '../standing.ts';
import { announceNewMember } from './announce-member.ts';

export interface MemberToGenerate {
  publisherId: string;
  groupId: string;
  playerId: string;
  playerMetadata: PlayerMetadata | null;
}

/** What the publisher gets back: the code to give to the player. */
export interface GeneratedMember {
  playerId: string;
  playerMetadata: PlayerMetadata | null;
  code: string;
}

const codeLength = 8;
const attempts = 5;

/**
 * Makes a member that nobody has claimed yet, with a code of the group's own (D31). Asked again for the
 * same player, it answers with the primary code of the member there is.
 * @throws Refusal InvalidInput when the player's membership is Pending or Removed, or the metadata is more than is kept
 */
export async function generateMember(
  db: Db,
  actor: Actor,
  asked: MemberToGenerate,
): Promise<GeneratedMember> {
  if (asked.playerMetadata !== null) checkPlayerMetadata(asked.playerMetadata);
  for (let attempt = 1; ; attempt += 1) {
    // Before anything is locked: publishers ask as often as they like.
    const existing = await existingMember(db, asked);
    if (existing !== null) return existing;
    try {
      return await inTransaction(db, (tx) =>
        // A link or a program file may be about to name the same player.
        addingToProgram(tx, asked.publisherId, (tx) => newMember(tx, actor, asked)),
      );
    } catch (error) {
      // Another call made the player's member meanwhile; or the random code, or account id, is taken.
      if (attempt === attempts || violatedConstraint(error) === null) throw error;
    }
  }
}

async function existingMember(
  db: Db,
  { publisherId, groupId, playerId }: MemberToGenerate,
): Promise<GeneratedMember | null> {
  const { rows } = await sql<{ status: string; player_metadata: PlayerMetadata | null; code: string | null }>`
    select m.status, m.player_metadata, ${codesOf(publisherId)} -> 0 ->> 'code' as code
    from membership known
    join membership m on m.publisher_id = ${publisherId} and m.membership_id = ${standing('known')}
    where known.publisher_id = ${publisherId} and known.group_id = ${groupId} and known.player_id = ${playerId}
    order by known.status <> 'Removed' desc, m.status = 'Approved' desc, m.status = 'Pending' desc
    limit 1`.execute(db);
  const [found] = rows;
  if (found === undefined) return null;
  if (found.status !== 'Approved' || found.code === null) {
    throw new Refusal(
      'InvalidInput',
      found.code === null
        ? 'The member of this playerId has no code; give it one first.'
        : `The member of this playerId is ${found.status}; approve it first.`,
    );
  }
  return { playerId, playerMetadata: found.player_metadata, code: found.code };
}

/**
 * Its code credits nobody before, so nothing that processes keep in memory is old by it, and no version moves: a
 * code of the group's own wins over a global one, so it is not the text of one.
 */
async function newMember(
  tx: ProgramTx,
  actor: Actor,
  { publisherId, groupId, playerId, playerMetadata }: MemberToGenerate,
): Promise<GeneratedMember> {
  const accountId = toAccountId(`gen_${randomBase62(20)}`);
  const membershipId = newRowId<MembershipId>();
  const code = await unknownCode(tx);
  await tx
    .insertInto('creator_account')
    .values({
      account_id: accountId,
      name: playerMetadata?.displayName || playerId,
      owner_publisher_id: publisherId,
    })
    .execute();
  await tx
    .insertInto('membership')
    .values({
      publisher_id: publisherId,
      membership_id: membershipId,
      group_id: groupId,
      account_id: accountId,
      player_id: playerId,
      player_metadata: playerMetadata === null ? null : JSON.stringify(playerMetadata),
      status: 'Approved',
    })
    .execute();
  await tx
    .insertInto('group_code')
    .values({
      publisher_id: publisherId,
      group_id: groupId,
      code_folded: foldCode(code),
      code,
      membership_id: membershipId,
      is_primary: true,
      is_generated: true,
      is_managed: true,
    })
    .execute();
  await announceNewMember(tx, publisherId, membershipId);
  await recordChange(tx, actor, {
    publisherId,
    action: 'member.generate',
    target: `member:${accountId}`,
    after: { group: groupId, playerId, codes: [code] },
  });
  return { playerId, playerMetadata, code };
}

async function unknownCode(tx: Tx): Promise<string> {
  for (;;) {
    const code = randomReadable(codeLength);
    const known = await tx
      .selectFrom('global_code')
      .select('code')
      .where('code_folded', '=', foldCode(code))
      .executeTakeFirst();
    if (known === undefined) return code;
  }
}
