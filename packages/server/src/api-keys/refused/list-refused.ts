import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { KeyId } from '../../platform/database/tables.generated.ts';
import { isRowId, rowIdFloor } from '../../platform/ids.ts';
import type { Page, Pages } from '../../platform/page.ts';
import { Refusal } from '../../platform/refusal.ts';

export interface RefusedRequest {
  /** UUIDv7. */
  refusedId: string;
  at: Date;
  keyId: KeyId;
  method: string;
  route: string;
  status: number;
  code: string;
  message: string;
  requestId: string;
  address: string;
  /** Creator's code in the request, safe to display; null if there is none. */
  sentCode: string | null;
  /** Group of the request; null if unknown. */
  groupId: string | null;
}

/** Filter for rejected requests. Absent fields match all requests. */
export interface RefusedFilter {
  publisherId: string;
  keyId?: KeyId | undefined;
  /** Method and path template, such as `POST /v1/attributions/transactions`. */
  operation?: string | undefined;
  code?: string | undefined;
  /** Compared case-insensitively. */
  sentCode?: string | undefined;
  requestId?: string | undefined;
  /** Start of the time range; `until` is its end (exclusive). */
  from?: Date | undefined;
  until?: Date | undefined;
}

/**
 * Returns one page of a publisher's rejected requests, newest first. The filters don't have indexes, because a publisher
 * has so few stored requests (purge-refused.ts) that reading them all is cheap.
 * @param size 1 to 250
 * @throws Refusal InvalidCursor
 */
export async function listRefused(
  db: Db,
  pages: Pages,
  filter: RefusedFilter,
  { cursor, size }: { cursor: string | null; size: number },
): Promise<Page<RefusedRequest>> {
  const { publisherId, keyId, operation, code, sentCode, requestId, from, until } = filter;
  const listing = [
    'refused',
    publisherId,
    keyId ?? null,
    operation ?? null,
    code ?? null,
    sentCode?.toLowerCase() ?? null,
    requestId ?? null,
    from ?? null,
    until ?? null,
  ];
  const [after] = pages.after(listing, cursor) ?? [];
  let query = selectRefused(db, publisherId);
  if (after !== undefined) query = query.where('refused_id', '<', after);
  if (keyId !== undefined) query = query.where('key_id', '=', keyId);
  if (operation !== undefined) query = query.where(sql`method || ' ' || route`, '=', operation);
  if (code !== undefined) query = query.where('code', '=', code);
  if (sentCode !== undefined) query = query.where(sql`lower(sent_code)`, '=', sql`lower(${sentCode})`);
  if (requestId !== undefined) query = query.where('request_id', '=', requestId);
  if (from !== undefined) query = query.where('refused_id', '>=', rowIdFloor(from)).where('at', '>=', from);
  if (until !== undefined) query = query.where('at', '<', until);
  const rows = await query
    .orderBy('refused_id', 'desc')
    .limit(size + 1)
    .execute();
  const page = pages.cut(listing, rows, size, ({ refused_id }) => [refused_id]);
  return { ...page, rows: page.rows.map(toRefused) };
}

/** @throws Refusal NotFound */
export async function getRefused(db: Db, publisherId: string, refusedId: string): Promise<RefusedRequest> {
  const row = isRowId(refusedId)
    ? await selectRefused(db, publisherId).where('refused_id', '=', refusedId).executeTakeFirst()
    : undefined;
  if (row === undefined)
    throw new Refusal(
      'NotFound',
      "The rejected request doesn't exist. Rejected requests are deleted after seven days.",
    );
  return toRefused(row);
}

const selectRefused = (db: Db, publisherId: string) =>
  db
    .selectFrom('refused_request')
    .select([
      'refused_id',
      'at',
      'key_id',
      'method',
      'route',
      'status',
      'code',
      'message',
      'request_id',
      'address',
      'sent_code',
      'group_id',
    ])
    .where('publisher_id', '=', publisherId);

type Row = Awaited<ReturnType<ReturnType<typeof selectRefused>['executeTakeFirstOrThrow']>>;

export const toRefused = (row: Row): RefusedRequest => ({
  refusedId: row.refused_id,
  at: row.at,
  keyId: row.key_id,
  method: row.method,
  route: row.route,
  status: row.status,
  code: row.code,
  message: row.message,
  requestId: row.request_id,
  address: row.address,
  sentCode: row.sent_code,
  groupId: row.group_id,
});
