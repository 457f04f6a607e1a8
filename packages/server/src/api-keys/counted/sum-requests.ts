import { sql } from 'kysely';
import type { Weighed } from '../../platform/answer-cache.ts';
import type { Db } from '../../platform/database/database.ts';
import type { KeyId } from '../../platform/database/tables.generated.ts';
import { hourOf } from './save-counts.ts';

/** Requests with one key to one operation. */
interface RequestSum {
  keyId: KeyId;
  method: string;
  route: string;
  accepted: number;
  rejected: number;
  /** Accurate to the minute. */
  lastAt: Date;
  /** Results of the rejected requests, most frequent first. */
  errors: RequestError[];
}

interface RequestError {
  status: number;
  code: string;
  count: number;
}

/** Maximum number of sums to return, starting with those with the most rejected requests. */
const maxSums = 250;

interface SumRow extends Pick<RequestSum, 'method' | 'route' | 'errors'> {
  key_id: KeyId;
  accepted: bigint;
  rejected: bigint;
  last_at: Date;
  read: bigint;
}

export interface RequestSums {
  from: Date;
  rows: RequestSum[];
}

/**
 * Adds up a publisher's requests by key and operation, most rejected requests first. Sums are stored hourly, so the
 * range starts on the hour.
 * @returns the sums; the result's weight is the number of stored counts that were added up
 * @param hours length of the range, which is extended to the start of its first hour
 */
export async function sumRequests(
  db: Db,
  publisherId: string,
  { hours, now }: { hours: number; now: Date },
): Promise<Weighed<RequestSums>> {
  const from = hourOf(new Date(now.getTime() - hours * 3_600_000));
  const { rows } = await sql<SumRow>`
    select key_id, method, route,
           coalesce(sum(times) filter (where status < 400), 0)::bigint as accepted,
           coalesce(sum(times) filter (where status >= 400), 0)::bigint as rejected,
           max(last_at) as last_at,
           coalesce(
             json_agg(json_build_object('status', status, 'code', code, 'count', times) order by times desc, code)
               filter (where status >= 400),
             '[]'
           ) as errors,
           (sum(sum(stored)) over ())::bigint as read
    from (
      select key_id, method, route, status, code, sum(times)::bigint as times, max(last_at) as last_at, count(*) as stored
      from request_count
      where publisher_id = ${publisherId} and hour >= ${from}::timestamptz
      group by key_id, method, route, status, code
    ) result
    group by key_id, method, route
    order by rejected desc, accepted desc, route, method, key_id
    limit ${maxSums}`.execute(db);
  const sums = {
    from,
    rows: rows.map(({ key_id, accepted, rejected, last_at, method, route, errors }) => ({
      method,
      route,
      errors,
      keyId: key_id,
      accepted: Number(accepted),
      rejected: Number(rejected),
      lastAt: last_at,
    })),
  };
  return { answer: sums, weight: Number(rows[0]?.read ?? 0) };
}
