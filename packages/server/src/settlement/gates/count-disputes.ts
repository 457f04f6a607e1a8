import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { isGateOpenAt, joinEnd } from './gates.ts';

/**
 * Counts the creators whose open review was set in their own name, because they said that they did not change their payout
 * method, up to a maximum.
 */
export async function countDisputes(
  db: Db,
  { publisherId, clockAt, max }: { publisherId: string; clockAt: Date; max: number },
): Promise<number> {
  const { rows } = await sql<{ n: bigint }>`
    select count(*) as n
    from (
      select distinct g.account_id
      from payee_gate g
      ${joinEnd(publisherId)}
      where g.publisher_id = ${publisherId} and g.kind = 'review' and g.set_by_kind = 'creator'
        and ${isGateOpenAt(clockAt)}
      limit ${max}
    ) disputed`.execute(db);
  return Number(rows[0]?.n ?? 0);
}
