import { type RawBuilder, sql } from 'kysely';
import type { PostingId } from '../../../platform/database/tables.generated.ts';
import { type IdRange, within } from './look-up.ts';

/** Postings of a piece, however little is in each. */
const postingsAtOnce = 500;

/** Where a walk through the postings of a range is: behind one, or at the start. */
export interface PostingsLeft extends IdRange {
  after: PostingId | null;
}

/**
 * The next postings of a range, as the beginning of a statement: `s (posting_id, recording_ids, reached)`, in which
 * `reached` is what they weigh together. One is taken after the other until they weigh as much as a piece, because a
 * posting may have one row or ten thousand.
 * @param weight of the posting `p`
 */
export const withSomePostings = (
  publisherId: string,
  { from, to, after }: PostingsLeft,
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
    where walk.place < ${postingsAtOnce} and walk.reached < ${bound}
  ),
  s as (
    select posting_id, recording_ids, reached
    from walk
    where place > 0
  )`;

/** Where the walk goes on behind a piece, or null at the end of its range. */
export function behind(
  left: PostingsLeft,
  piece: { last: PostingId | null; postings: number; reached: number; bound: number },
): PostingsLeft | null {
  const { last, postings, reached, bound } = piece;
  return last !== null && (postings === postingsAtOnce || reached >= bound) ? { ...left, after: last } : null;
}
