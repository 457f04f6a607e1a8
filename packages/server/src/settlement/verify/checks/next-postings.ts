import { type RawBuilder, sql } from 'kysely';
import type { PostingId } from '../../../platform/database/tables.generated.ts';
import { type IdRange, within } from './look-up.ts';

/** Maximum number of postings in a piece, whatever their size. */
const maxPostings = 500;

/** Position in a scan of a range's postings: the last posting read, or null at the start. */
export interface PostingsPosition extends IdRange {
  after: PostingId | null;
}

/**
 * Returns the start of a statement that reads the next postings in a range as `s (posting_id, recording_ids, reached)`,
 * where `reached` is their cumulative weight. The statement adds postings until their weight reaches that of a piece,
 * because a posting can have anywhere from one row to ten thousand.
 * @param weight weight of a posting `p`
 */
export const withNextPostings = (
  publisherId: string,
  { from, to, after }: PostingsPosition,
  weight: RawBuilder<unknown>,
  bound: number,
): RawBuilder<unknown> => sql`
  with recursive walk as (
    select 0 as place, ${after ?? from}::uuid as at, ${after}::uuid as posting_id, null::uuid[] as recording_ids,
           0::bigint as reached
    union all
    select walk.place + 1, p.posting_id, p.posting_id, p.recording_ids, walk.reached + ${weight}
    from walk
    cross join lateral (
      select posting_id, recording_ids
      from posting
      where publisher_id = ${publisherId} and ${within(sql`posting_id`, { from, to })}
        and posting_id >= walk.at and posting_id is distinct from walk.posting_id
      order by posting_id
      limit 1
    ) p
    where walk.place < ${maxPostings} and walk.reached < ${bound}
  ),
  s as (
    select posting_id, recording_ids, reached
    from walk
    where place > 0
  )`;

/** Returns the position after a piece; null at the end of the range. */
export function nextPosition(
  left: PostingsPosition,
  piece: { last: PostingId | null; postings: number; reached: number; bound: number },
): PostingsPosition | null {
  const { last, postings, reached, bound } = piece;
  return last !== null && (postings === maxPostings || reached >= bound) ? { ...left, after: last } : null;
}
