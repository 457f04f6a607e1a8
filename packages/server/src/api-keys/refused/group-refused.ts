import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { type RefusedFilter, type RefusedRequest, toRefused } from './list-refused.ts';

/** Rejected requests with the same key, operation, response and creator's code. */
export interface RefusedGroup extends RefusedRequest {
  /** Number of stored requests in the group. The inherited fields describe the latest request. */
  count: number;
  firstAt: Date;
}

/** Maximum number of groups to return, starting with those with the latest requests. */
const maxGroups = 250;

/**
 * Groups a publisher's similar rejected requests, latest group first. Reads all of the publisher's stored requests,
 * which purge-refused.ts keeps to a limited number.
 */
export async function groupRefused(
  db: Db,
  filter: Omit<RefusedFilter, 'requestId'>,
): Promise<RefusedGroup[]> {
  const { publisherId, keyId, operation, code, sentCode, from, until } = filter;
  const { rows } = await sql<GroupRow>`
    select (max(array[refused_id::text, message, sent_code, group_id, request_id, address]))
             as latest,
           max(at) as at, min(at) as first_at, count(*)::int as count,
           key_id, method, route, status, code
    from refused_request
    where publisher_id = ${publisherId}
      ${keyId === undefined ? sql`` : sql`and key_id = ${keyId}`}
      ${operation === undefined ? sql`` : sql`and method || ' ' || route = ${operation}`}
      ${code === undefined ? sql`` : sql`and code = ${code}`}
      ${sentCode === undefined ? sql`` : sql`and lower(sent_code) = lower(${sentCode})`}
      ${from === undefined ? sql`` : sql`and at >= ${from}`}
      ${until === undefined ? sql`` : sql`and at < ${until}`}
    group by key_id, method, route, status, code, group_id, lower(sent_code),
             -- For a list, the message starts with the entry's index, which differs.
             regexp_replace(message, '^\\[[0-9]+\\]\\.', '')
    order by max(refused_id::text) desc
    limit ${maxGroups}`.execute(db);
  return rows.map(({ latest, ...row }) => {
    const [refused_id, message, sent_code, group_id, request_id, address] = latest;
    return {
      ...toRefused({ ...row, refused_id, message, sent_code, group_id, request_id, address }),
      count: row.count,
      firstAt: row.first_at,
    };
  });
}

interface GroupRow extends Pick<RefusedRequest, 'at' | 'method' | 'route' | 'status' | 'code'> {
  key_id: RefusedRequest['keyId'];
  latest: [string, string, string | null, string | null, string, string];
  first_at: Date;
  count: number;
}
