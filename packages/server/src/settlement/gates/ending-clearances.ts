import { type RawBuilder, sql } from 'kysely';
import { stands } from '../../members/standing.ts';
import type { Db } from '../../platform/database/database.ts';
import { laterBy } from '../../publishers/publisher-time.ts';
import { isGateOpenAt, joinEnd } from './gates.ts';

/** Number of days before the end of a tax clearance during which the end needs attention. */
export const remindDays = 30;
const remindMs = remindDays * 86_400_000;

/** Returns the time from which the end of a tax clearance needs attention. */
export const remindAt = (until: Date): Date => new Date(until.getTime() - remindMs);

/**
 * Returns a condition for a gate `g` with the end `e` that is a tax clearance of a current creator, ends within the
 * next 30 days, and isn't extended by another one.
 * @param clockAt current time on the publisher's clock
 */
export const isClearanceEnding = (publisherId: string, clockAt: Date): RawBuilder<boolean> => sql<boolean>`
  (g.kind = 'tax' and ${isGateOpenAt(clockAt)} and g.until_at <= ${laterBy(clockAt, remindMs)}
   and not exists (
     select 1
     from payee_gate later
     left join payee_gate_end later_end on later_end.publisher_id = ${publisherId} and later_end.gate_id = later.gate_id
     where later.publisher_id = ${publisherId} and later.account_id = g.account_id and later.kind = 'tax'
       and later_end.gate_id is null and later.from_at <= g.until_at
       and (later.until_at is null or later.until_at > g.until_at
            or (later.until_at = g.until_at and later.gate_id > g.gate_id))
   )
   and exists (
     select 1
     from membership m
     where m.publisher_id = ${publisherId} and m.account_id = g.account_id and ${stands('m')}
   ))`;

/** Counts the creators whose tax clearance ends soon, up to a maximum. */
export async function countEndingClearances(
  db: Db,
  { publisherId, clockAt, max }: { publisherId: string; clockAt: Date; max: number },
): Promise<number> {
  const { rows } = await sql<{ n: bigint }>`
    select count(*) as n
    from (
      select 1 as found
      from payee_gate g
      ${joinEnd(publisherId)}
      where g.publisher_id = ${publisherId} and ${isClearanceEnding(publisherId, clockAt)}
      limit ${max}
    ) ending`.execute(db);
  return Number(rows[0]?.n ?? 0);
}
