import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { foldCode, resolveCodes } from '../members/read/resolve-codes.ts';
import type { Db } from '../platform/database/database.ts';
import { inTransaction, type Tx } from '../platform/database/in-transaction.ts';
import { Refusal } from '../platform/refusal.ts';
import type { CreatorGroup, Program } from '../publishers/programs.ts';
import { keptPerPlayer, type PlayerCode, type PlayerInGroup } from './player-code.ts';

/** Time by which a publisher's clock may be ahead. */
const skewMs = 5 * 60_000;
const lockClass = 1_959; // arbitrary; separates these locks from other advisory locks

export interface CodeToAttach {
  program: Program;
  group: CreatorGroup;
  playerId: string;
  /** Code as the player entered it. */
  code: string;
  /** Time from which the code is in force. */
  at: Date;
  now: Date;
}

/**
 * Attaches a code to a player: until it expires or is replaced, it counts as the code of the player's purchases. The same code again
 * renews it. Repeating a request with the same time changes nothing.
 * @throws Refusal CodeNotInGroup; InvalidInput for a time in the future; Conflict if it is the player's own code
 */
export async function attachCode(
  db: Db,
  { program, group, playerId, code, at, now }: CodeToAttach,
): Promise<PlayerCode> {
  const { publisherId } = program;
  const { groupId } = group;
  if (isTooLate(at, now)) throw new Refusal('InvalidInput', 'must not be in the future', { path: ['at'] });
  const folded = foldCode(code);
  const member = (await resolveCodes(db, program, groupId, new Set([folded]))).get(folded);
  if (member === undefined)
    throw new Refusal('CodeNotInGroup', "The code isn't an approved code of the creator group.");
  if (member.playerId === playerId)
    throw new Refusal('Conflict', 'A player can’t use their own creator code.', { path: ['code'] });
  const { membershipId } = member;
  return inTransaction(db, async (tx) => {
    await lockPlayer(tx, { publisherId, groupId, playerId });
    // The group's setting is read here, because the program may be several seconds old.
    const { rows } = await sql<{ expires_at: Date; account_id: string }>`
      with attached as (
        insert into player_code (publisher_id, group_id, player_id, attached_at, membership_id, expires_at, ended_at, referral_id)
        select g.publisher_id, g.group_id, ${playerId}, ${at}::timestamptz, ${membershipId}::uuid, ${at}::timestamptz + g.code_ttl_days * interval '24 hours',
               least(${at}::timestamptz + g.code_ttl_days * interval '24 hours', (
                 select min(attached_at)
                 from player_code
                 where publisher_id = ${publisherId} and group_id = ${groupId} and player_id = ${playerId} and attached_at > ${at}
               )), ${randomUUID()}::uuid
        from creator_group g
        where g.publisher_id = ${publisherId} and g.group_id = ${groupId}
        on conflict (publisher_id, group_id, player_id, attached_at) do update
        set membership_id = excluded.membership_id, expires_at = excluded.expires_at, ended_at = excluded.ended_at,
            referral_id = coalesce(player_code.referral_id, excluded.referral_id),
            is_end_told = player_code.is_end_told and player_code.membership_id = excluded.membership_id
        returning expires_at
      )
      select a.expires_at, m.account_id
      from attached a
      join membership m on m.publisher_id = ${publisherId} and m.membership_id = ${membershipId}::uuid`.execute(
      tx,
    );
    const [attached] = rows;
    if (attached === undefined) throw new Error('a code was attached in a group that does not exist');
    await endPrevious(tx, { publisherId, groupId, playerId }, at);
    await dropOldest(tx, { publisherId, groupId, playerId });
    return {
      ...{ groupId, playerId, code: member.code, memberId: attached.account_id },
      ...{ attachedAt: at, expiresAt: attached.expires_at },
    };
  });
}

/** Returns whether a time is in the future, by more than clocks may differ. */
export const isTooLate = (at: Date, now: Date): boolean => at.getTime() > now.getTime() + skewMs;

/** Ends a player's code. Purchases from before are not affected. Without a code, nothing changes. */
export const endPlayerCode = (db: Db, player: PlayerInGroup, now: Date): Promise<void> =>
  inTransaction(db, async (tx) => {
    const { publisherId, groupId, playerId } = player;
    await lockPlayer(tx, player);
    await sql`
      insert into player_code (publisher_id, group_id, player_id, attached_at)
      select ${publisherId}, ${groupId}, ${playerId}, ${now}
      where exists (
        select 1
        from player_code
        where publisher_id = ${publisherId} and group_id = ${groupId} and player_id = ${playerId} and expires_at > ${now}
      )
      on conflict (publisher_id, group_id, player_id, attached_at) do update
      set membership_id = null, expires_at = null, ended_at = null, referral_id = null`.execute(tx);
    await endPrevious(tx, player, now);
    await dropOldest(tx, player);
  });

/** Makes changes of a player's codes wait for each other until the commit, because each needs to know the end of the one before. */
async function lockPlayer(tx: Tx, { publisherId, groupId, playerId }: PlayerInGroup): Promise<void> {
  const player = JSON.stringify([publisherId, groupId, playerId]);
  await sql`select pg_advisory_xact_lock(${lockClass}, hashtext(${player}))`.execute(tx);
}

/** Ends the code that was in force until `at`. */
const endPrevious = (tx: Tx, { publisherId, groupId, playerId }: PlayerInGroup, at: Date): Promise<unknown> =>
  sql`
    update player_code
    set ended_at = ${at}
    where publisher_id = ${publisherId} and group_id = ${groupId} and player_id = ${playerId} and ended_at > ${at}
      and attached_at = (
        select max(attached_at)
        from player_code
        where publisher_id = ${publisherId} and group_id = ${groupId} and player_id = ${playerId} and attached_at < ${at}
      )`.execute(tx);

/** Deletes all but a player's newest rows, so that a player who changes the code all the time takes no more space. */
const dropOldest = (tx: Tx, { publisherId, groupId, playerId }: PlayerInGroup): Promise<unknown> =>
  sql`
    delete from player_code
    where publisher_id = ${publisherId} and group_id = ${groupId} and player_id = ${playerId} and attached_at < (
      select attached_at
      from player_code
      where publisher_id = ${publisherId} and group_id = ${groupId} and player_id = ${playerId}
      order by attached_at desc
      offset ${keptPerPlayer - 1}
      limit 1)`.execute(tx);
