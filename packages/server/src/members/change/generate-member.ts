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

export interface GeneratedMember {
  playerId: string;
  playerMetadata: PlayerMetadata | null;
  code: string;
}

const codeLength = 8;
const maxAttempts = 5;

/**
 * Creates an unclaimed member with its own code in the group (D31). If the player is already a member,
 * returns that member with its primary code.
 * @throws Refusal InvalidInput for invalid metadata, or if the player's member is Pending, is Removed or has
 *   no code
 */
export async function generateMember(
  db: Db,
  actor: Actor,
  input: MemberToGenerate,
): Promise<GeneratedMember> {
  if (input.playerMetadata !== null) checkPlayerMetadata(input.playerMetadata);
  for (let attempt = 1; ; attempt += 1) {
    // Reads without a lock, because publishers may call this often for the same player.
    const existing = await existingMember(db, input);
    if (existing !== null) return existing;
    try {
      return await inTransaction(db, (tx) =>
        // Wait for any link request or program file that may be adding the same player.
        addingToProgram(tx, input.publisherId, (tx) => newMember(tx, actor, input)),
      );
    } catch (error) {
      // A concurrent call has created the player's member, or the random code or account id is taken.
      if (attempt === maxAttempts || violatedConstraint(error) === null) throw error;
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
        ? 'The member with this playerId has no code. Add one first.'
        : `The member with this playerId is ${found.status}. Approve it first.`,
    );
  }
  return { playerId, playerMetadata: found.player_metadata, code: found.code };
}

/**
 * Inserts the member without creating a new program version. Processes only cache codes that credit a member, so no
 * cache can be out of date for this code. The code must differ from all global codes, because a group code would take
 * precedence over them.
 */
async function newMember(
  tx: ProgramTx,
  actor: Actor,
  { publisherId, groupId, playerId, playerMetadata }: MemberToGenerate,
): Promise<GeneratedMember> {
  const accountId = toAccountId(`gen_${randomBase62(20)}`);
  const membershipId = newRowId<MembershipId>();
  const code = await unusedCode(tx);
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

async function unusedCode(tx: Tx): Promise<string> {
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
