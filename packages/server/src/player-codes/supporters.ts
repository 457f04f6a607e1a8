import { type RawBuilder, sql } from 'kysely';
import { standing } from '../members/standing.ts';
import type { Db } from '../platform/database/database.ts';
import type { AccountId } from '../platform/database/tables.generated.ts';

/** Creators of a publisher. */
export interface Supported {
  publisherId: string;
  /** Creator group; null for all groups. */
  groupId: string | null;
  /** The creator's account; null for all creators. */
  memberId: AccountId | null;
}

export interface SupporterFigures {
  /** Number of players whose code is in force at the end of the period. */
  now: number;
  /** Number of times that a player without a code entered one in the period. Renewals and, for a group, changes between creators are not counted. */
  new: number;
  /** Number of times that a player's code ended in the period without being renewed: it expired, was replaced, or was deleted. */
  ended: number;
}

export interface Supporter {
  /** Public id, which doesn't reveal the player. */
  id: string;
  playerId: string;
  attachedAt: Date;
}

/** Groups without supporters in the period have no figures. */
export type FiguresByGroup = ReadonlyMap<string, SupporterFigures>;

export const noSupporters: SupporterFigures = { now: 0, new: 0, ended: 0 };

/**
 * Counts the supporters of a creator, or of all creators, by group: at the end of a period, and how they changed since its start. Only
 * creators who are Approved now are counted. `now` at the end of the period is `now` at its start, plus `new`, minus `ended`, except
 * for codes that ended more than 90 days ago, which are no longer stored.
 * @param from start of the period, exclusive
 * @param to end of the period, inclusive
 */
export async function countSupporters(
  db: Db,
  supported: Supported,
  { from, to }: { from: Date; to: Date },
): Promise<FiguresByGroup> {
  const { publisherId, groupId } = supported;
  const { rows } = await sql<{ group_id: string } & SupporterFigures>`
    with own as materialized (${membershipsOf(supported)})
    select p.group_id,
           count(*) filter (where p.attached_at <= ${to} and p.ended_at > ${to})::int as now,
           count(*) filter (where p.attached_at > ${from} and p.attached_at <= ${to} and not exists (
             select 1
             from player_code before
             where before.publisher_id = ${publisherId} and before.group_id = p.group_id and before.player_id = p.player_id
               and before.membership_id in (select membership_id from own) and before.attached_at < p.attached_at and before.ended_at = p.attached_at
           ))::int as new,
           count(*) filter (where p.ended_at > ${from} and p.ended_at <= ${to} and not exists (
             select 1
             from player_code next
             where next.publisher_id = ${publisherId} and next.group_id = p.group_id and next.player_id = p.player_id
               and next.membership_id in (select membership_id from own) and next.attached_at = p.ended_at
           ))::int as ended
    from player_code p
    where p.publisher_id = ${publisherId} and ${groupId === null ? sql`true` : sql`p.group_id = ${groupId}`}
      and p.membership_id in (select membership_id from own) and p.ended_at > ${from}
    group by p.group_id`.execute(db);
  return new Map(rows.map(({ group_id, ...figures }) => [group_id, figures]));
}

/**
 * Lists a creator's supporters, those whose code lasts longest first.
 * @returns the page, and the number of all supporters
 */
export async function listSupporters(
  db: Db,
  supported: Supported & { groupId: string; memberId: AccountId },
  { at, offset, limit }: { at: Date; offset: number; limit: number },
): Promise<{ supporters: Supporter[]; totalCount: number }> {
  const { publisherId, groupId } = supported;
  const { rows: own } = await sql<{ membership_id: string }>`${membershipsOf(supported)}`.execute(db);
  const ids = own.map(({ membership_id }) => membership_id);
  // With a single id, the index has the order of the list.
  const isOwn =
    ids.length === 1 ? sql`membership_id = ${ids[0]}::uuid` : sql`membership_id = any(${ids}::uuid[])`;
  const inForce = sql`
    from player_code
    where publisher_id = ${publisherId} and group_id = ${groupId} and ${isOwn} and ended_at > ${at} and attached_at <= ${at}`;
  const { rows: counted } = await sql<{ count: number }>`select count(*)::int as count ${inForce}`.execute(
    db,
  );
  const totalCount = counted[0]?.count ?? 0;
  if (limit === 0 || offset >= totalCount) return { supporters: [], totalCount };
  const { rows } = await sql<{ referral_id: string; player_id: string; attached_at: Date }>`
    select referral_id, player_id, attached_at ${inForce}
    order by ended_at desc, attached_at desc, player_id
    offset ${offset}
    limit ${limit}`.execute(db);
  return {
    totalCount,
    supporters: rows.map(({ referral_id, player_id, attached_at }) => ({
      id: referral_id,
      playerId: player_id,
      attachedAt: attached_at,
    })),
  };
}

/** Builds a query for the memberships of Approved creators, including those that were merged into theirs. */
const membershipsOf = ({ publisherId, groupId, memberId }: Supported): RawBuilder<unknown> => sql`
  select entered.membership_id
  from membership entered
  join membership m on m.publisher_id = ${publisherId} and m.membership_id = ${standing('entered')}
  where entered.publisher_id = ${publisherId} and m.status = 'Approved'
    and ${groupId === null ? sql`true` : sql`entered.group_id = ${groupId}`}
    and ${memberId === null ? sql`true` : sql`m.account_id = ${memberId}`}`;
