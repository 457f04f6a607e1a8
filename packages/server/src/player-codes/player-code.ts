import { type RawBuilder, sql } from 'kysely';
import { standing } from '../members/standing.ts';
import type { Db } from '../platform/database/database.ts';
import type { Tx } from '../platform/database/in-transaction.ts';
import type { AccountId } from '../platform/database/tables.generated.ts';
import { Refusal } from '../platform/refusal.ts';

/** Player of a publisher, in one of its creator groups. */
export interface PlayerInGroup {
  publisherId: string;
  groupId: string;
  playerId: string;
}

/** Code that a player uses for purchases. */
export interface PlayerCode {
  groupId: string;
  playerId: string;
  /** Code that credits the creator now, which may differ from the one that the player entered. */
  code: string;
  memberId: string;
  attachedAt: Date;
  /** First time at which the code is no longer in force. */
  expiresAt: Date;
}

/** Number of rows per player that are kept, the newest. */
export const keptPerPlayer = 50;

/**
 * Finds the code that is in force for a player at a time: the last one that was entered by then, unless it has expired, or its creator
 * is not Approved or has no code anymore. It takes effect again if the creator is approved again in time.
 * @returns null if there is none
 */
export async function findPlayerCode(
  db: Db | Tx,
  { publisherId, groupId, playerId }: PlayerInGroup,
  at: Date,
): Promise<PlayerCode | null> {
  const [found] = await findPlayerCodes(db, { publisherId, groupId }, [{ playerId, at }]);
  return found ?? null;
}

/**
 * Finds the codes of several players, as `findPlayerCode` does.
 * @param asked null to find none
 * @returns a code or null for each place in `asked`
 */
export async function findPlayerCodes(
  db: Db | Tx,
  { publisherId, groupId }: Omit<PlayerInGroup, 'playerId'>,
  asked: readonly ({ playerId: string; at: Date } | null)[],
): Promise<(PlayerCode | null)[]> {
  const { rows } = await sql<{
    place: number;
    player_id: string;
    member_id: string;
    attached_at: Date;
    expires_at: Date;
    code: string | null;
  }>`
    select asked.place::int as place, asked.player_id, m.account_id as member_id, own.attached_at, own.expires_at,
           ${codeOf(publisherId, groupId)} as code
    from unnest(${asked.map((each) => each?.playerId ?? null)}::text[], ${asked.map((each) => each?.at ?? null)}::timestamptz[])
      with ordinality as asked (player_id, at, place)
    cross join lateral (
      select membership_id, attached_at, expires_at
      from player_code
      where publisher_id = ${publisherId} and group_id = ${groupId} and player_id = asked.player_id
        and attached_at <= asked.at
      order by attached_at desc
      limit 1
    ) own
    join membership entered on entered.publisher_id = ${publisherId} and entered.membership_id = own.membership_id
    join membership m on m.publisher_id = ${publisherId} and m.membership_id = ${standing('entered')}
    where own.expires_at > asked.at and m.status = 'Approved'`.execute(db);
  const found = asked.map((): PlayerCode | null => null);
  for (const { place, player_id, member_id, code, attached_at, expires_at } of rows)
    if (code !== null)
      found[place - 1] = {
        groupId,
        playerId: player_id,
        code,
        memberId: member_id,
        attachedAt: attached_at,
        expiresAt: expires_at,
      };
  return found;
}

/** Finds a code that credits a creator in a group, a primary one if there is one. @returns null if the creator isn't Approved or has none */
export async function findCreatorCode(
  db: Db,
  { publisherId, groupId, memberId }: { publisherId: string; groupId: string; memberId: AccountId },
): Promise<string | null> {
  const { rows } = await sql<{ code: string | null }>`
    select ${codeOf(publisherId, groupId)} as code
    from membership m
    where m.publisher_id = ${publisherId} and m.group_id = ${groupId} and m.account_id = ${memberId} and m.status = 'Approved'`.execute(
    db,
  );
  return rows[0]?.code ?? null;
}

/** Builds an expression for a code that credits the membership `m` in the group, a primary one if there is one. */
const codeOf = (publisherId: string, groupId: string): RawBuilder<string | null> => sql`(
  select found.code
  from (
    select g.code, g.is_primary, 1 as preference
    from group_code g
    where g.publisher_id = ${publisherId} and g.membership_id = m.membership_id and g.is_approved
    union all
    select c.code, c.is_primary, 2
    from global_code c
    where c.account_id = m.account_id and c.is_approved and not exists (
      select 1
      from group_code other
      where other.publisher_id = ${publisherId} and other.group_id = ${groupId} and other.code_folded = c.code_folded
        and other.is_approved
    )
  ) found
  order by found.is_primary desc, found.preference, found.code
  limit 1)`;

/** Creates the refusal for a player who has no code at a time. */
export const noPlayerCode = (): Refusal =>
  new Refusal('NotFound', 'The player has no code in this creator group at that time.');
