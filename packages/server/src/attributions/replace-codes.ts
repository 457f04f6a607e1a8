import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import type { Tx } from '../platform/database/in-transaction.ts';
import type { MembershipId } from '../platform/database/tables.generated.ts';

interface DayOfMember {
  publisherId: string;
  membershipId: MembershipId;
  /** UTC day, such as `2026-06-01`. */
  day: string;
}

/** Returns the first UTC day after a given one with purchases of a member; null if there is none. */
export async function nextDayOf(
  db: Db,
  { publisherId, membershipId, day }: Omit<DayOfMember, 'day'> & { day: string | null },
): Promise<string | null> {
  const { rows } = await sql<{ day: string }>`
    select to_char(transaction_date at time zone 'UTC', 'YYYY-MM-DD') as day
    from attribution
    where publisher_id = ${publisherId} and membership_id = ${membershipId}::uuid
      and transaction_date >= coalesce((${day}::date + 1)::timestamp at time zone 'UTC', '-infinity')
    order by transaction_date
    limit 1`.execute(db);
  return rows[0]?.day ?? null;
}

/** Returns the codes that a member's purchases of a day were credited by. */
export async function readCodesOfDay(
  db: Db,
  { publisherId, membershipId, day }: DayOfMember,
): Promise<string[]> {
  const { rows } = await sql<{ code: string }>`
    select distinct code
    from attribution
    where publisher_id = ${publisherId} and membership_id = ${membershipId}::uuid
      and transaction_date >= ${day}::date::timestamp at time zone 'UTC'
      and transaction_date < (${day}::date + 1)::timestamp at time zone 'UTC'`.execute(db);
  return rows.map(({ code }) => code);
}

/**
 * Replaces the codes of a member's purchases of a day. The caller has locked the member.
 * @param codes pairs of the old and the new code
 * @returns the number of rows changed
 */
export async function replaceCodesOfDay(
  tx: Tx,
  { publisherId, membershipId, day }: DayOfMember,
  codes: readonly (readonly [from: string, to: string])[],
): Promise<number> {
  const { numAffectedRows } = await sql`
    update attribution a
    set code = n.new_code
    from unnest(${codes.map(([from]) => from)}::text[], ${codes.map(([, to]) => to)}::text[]) as n (old_code, new_code)
    where a.publisher_id = ${publisherId} and a.membership_id = ${membershipId}::uuid and a.code = n.old_code
      and a.transaction_date >= ${day}::date::timestamp at time zone 'UTC'
      and a.transaction_date < (${day}::date + 1)::timestamp at time zone 'UTC'`.execute(tx);
  return Number(numAffectedRows ?? 0);
}
