import { sql } from 'kysely';
import type { Db } from '../../../platform/database/database.ts';

interface PayoutsSince {
  publisherId: string;
  groupIds: readonly string[];
  /** Time on the service's clock. */
  since: Date;
}

/** Counts the payouts that were created since a time and not canceled, and those that were marked as paid since then. */
export async function countPayouts(
  db: Db,
  { publisherId, groupIds, since }: PayoutsSince,
): Promise<{ created: number; paid: number }> {
  const { rows } = await sql<{ created: number; paid: number }>`
    select (count(*) filter (where created_at >= ${since}))::integer as created,
           (count(*) filter (where status = 'Paid' and paid_at >= ${since}))::integer as paid
    from payout_batch
    where publisher_id = ${publisherId} and group_id = any(${[...groupIds]}::text[]) and status in ('Created', 'Paid')`.execute(
    db,
  );
  return rows[0] ?? { created: 0, paid: 0 };
}
