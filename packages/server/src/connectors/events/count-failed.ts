import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { ConnectorKey } from '../connector-record.ts';

const maxCounted = 10_000;

/** Returns the number of a connector's failed events that arrived since a time, at most 10,000. */
export async function countFailed(
  db: Db,
  { publisherId, connectorId }: ConnectorKey,
  since: Date,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
    from (
      select 1
      from connector_event
      where publisher_id = ${publisherId} and connector_id = ${connectorId} and status = 'Failed'
        and received_at >= ${since}
      limit ${maxCounted}
    ) failed`.execute(db);
  return rows[0]?.count ?? 0;
}
