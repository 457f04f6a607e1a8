import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { readMoment } from '../../platform/database/moment.ts';
import type { AccountId, AttributionId } from '../../platform/database/tables.generated.ts';
import type { Page, Pages } from '../../platform/page.ts';
import { laterBy, readAheadMs } from '../../publishers/publisher-time.ts';
import { isOpenAt, joinRelease } from './held.ts';
import { type Hold, readHolds } from './read-holds.ts';

export interface HoldFilter {
  publisherId: string;
  /** Holds that affect payouts of this group; null for all groups. */
  groupId: string | null;
  /** Holds on this creator and on rows that credit the creator; null for all creators. */
  memberId: AccountId | null;
  /** Only these holds; absent for all. */
  holdIds?: readonly string[] | undefined;
}

/**
 * Lists one page of the open holds, newest first.
 * @throws Refusal InvalidCursor
 */
export async function listHolds(
  db: Db,
  pages: Pages,
  { publisherId, groupId, memberId, holdIds }: HoldFilter,
  { cursor, size }: { cursor: string | null; size: number },
): Promise<Page<Hold>> {
  const listing = ['holds', publisherId, groupId, memberId, holdIds ?? null];
  const [before = null] = pages.after(listing, cursor) ?? [];
  const clockAt = await readClock(db, publisherId);
  const holds = await readHolds(
    db,
    publisherId,
    sql`${isOpenAt(clockAt)}
      ${groupId === null ? sql`` : sql`and (h.group_id = ${groupId} or h.group_id is null)`}
      ${memberId === null ? sql`` : sql`and account.account_id = ${memberId}`}
      ${holdIds === undefined ? sql`` : sql`and h.hold_id = any(${[...holdIds]}::uuid[])`}
      ${before === null ? sql`` : sql`and h.hold_id < ${before}::uuid`}
    order by h.hold_id desc
    limit ${size + 1}`,
  );
  return pages.cut(listing, holds, size, ({ holdId }) => [holdId]);
}

/** Reads the open holds of rows. */
export async function readOpenHolds(
  db: Db,
  publisherId: string,
  ids: readonly AttributionId[],
): Promise<Hold[]> {
  const clockAt = await readClock(db, publisherId);
  return readHolds(
    db,
    publisherId,
    sql`h.attribution_id = any(${[...ids]}::uuid[]) and ${isOpenAt(clockAt)} order by h.hold_id`,
  );
}

/** Finds the rows that an open hold of their own keeps out of payouts. Holds on a creator don't count. */
export async function findRowsOnHold(
  db: Db,
  publisherId: string,
  ids: readonly AttributionId[],
): Promise<ReadonlySet<AttributionId>> {
  if (ids.length === 0) return new Set();
  const clockAt = await readClock(db, publisherId);
  const { rows } = await sql<{ attribution_id: AttributionId }>`
    select h.attribution_id
    from payment_hold h
    ${joinRelease(publisherId)}
    where h.publisher_id = ${publisherId} and h.attribution_id = any(${[...ids]}::uuid[]) and ${isOpenAt(clockAt)}`.execute(
    db,
  );
  return new Set(rows.map(({ attribution_id }) => attribution_id));
}

/** Reads the time on the publisher's clock, which ends holds. */
const readClock = async (db: Db, publisherId: string): Promise<Date> =>
  laterBy(await readMoment(db), await readAheadMs(db, publisherId));
