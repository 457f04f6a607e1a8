import { sql } from 'kysely';
import { maxCounted } from '../../members/read/count-members.ts';
import { stands } from '../../members/standing.ts';
import type { Db } from '../../platform/database/database.ts';
import { rowIdAt } from '../../platform/ids.ts';

/** Number of each kind of change since a time, up to `maxCounted` each. */
export interface Changes {
  joinedCreators: number;
  createdPayouts: number;
  paidPayouts: number;
}

interface ChangesQuery {
  publisherId: string;
  groupIds: readonly string[];
  /** Time on the service's clock. */
  since: Date;
}

/** Counts the creators who joined, and the payouts that were created or paid, since a time. */
export async function readChanges(db: Db, { publisherId, groupIds, since }: ChangesQuery): Promise<Changes> {
  const inGroups = sql`publisher_id = ${publisherId} and group_id = any(${[...groupIds]}::text[])`;
  const { rows } = await sql<{ joined: number; created: number; paid: number }>`
    select
      (select count(*)
       from (
         select 1
         from membership m
         where ${inGroups} and m.membership_id >= ${rowIdAt(since)}::uuid and m.status = 'Approved' and ${stands('m')}
         limit ${maxCounted}
       ) joined)::integer as joined,
      (select count(*) from payout_batch where ${inGroups} and status in ('Created', 'Paid') and created_at >= ${since})::integer as created,
      (select count(*) from payout_batch where ${inGroups} and status = 'Paid' and paid_at >= ${since})::integer as paid`.execute(
    db,
  );
  const { joined = 0, created = 0, paid = 0 } = rows[0] ?? {};
  return {
    joinedCreators: joined,
    createdPayouts: Math.min(created, maxCounted),
    paidPayouts: Math.min(paid, maxCounted),
  };
}
