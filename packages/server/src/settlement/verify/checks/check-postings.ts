import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../platform/database/in-transaction.ts';
import type { MembershipId, PostingId, RecordingId } from '../../../platform/database/tables.generated.ts';
import type { Check } from './check.ts';
import { type IdRange, isOfRecording, lookUpEntry, sampleRowsOf } from './look-up.ts';
import { nextPosition, type PostingsPosition, withNextPostings } from './next-postings.ts';
import type { Recordings } from './recordings.ts';
import { type Finding, maxRowsNamed } from './rules.ts';

/**
 * Adds up the rows of each posting in an id range by member and currency, and compares the sums with the posting's
 * entries.
 * @param recordings collects the recordings that the postings contain
 * @returns the first difference, or null
 */
export async function checkPostings(
  check: Check,
  range: IdRange,
  recordings: Recordings,
): Promise<Finding | null> {
  const { snapshots, coverage, publisherId } = check;
  for (let left: PostingsPosition | null = { ...range, after: null }; left !== null; ) {
    const start: PostingsPosition = left;
    const { finding, entries, rows, postings, next } = await snapshots.read(snapshots.rows, async (tx) => {
      const piece = await readPostings(tx, publisherId, start, snapshots.rows.value);
      const compared = await comparePostings(tx, publisherId, piece.postings);
      const waiting = await findWaiting(tx, publisherId, piece.postings);
      return { ...compared, ...piece, finding: waiting ?? compared.finding, taken: compared.rows };
    });
    if (finding !== null) return finding;
    for (const { postingId, recordingIds } of postings) recordings.posted(recordingIds, postingId);
    coverage.rows += rows;
    if (check.rowsBefore !== null) coverage.entries += entries;
    check.progress();
    left = next;
  }
  return null;
}

interface PostingOfRows {
  postingId: PostingId;
  recordingIds: RecordingId[];
}

/**
 * Reads the next postings in a range.
 * @param bound approximate number of rows; postings are not split
 */
async function readPostings(
  tx: Tx,
  publisherId: string,
  left: PostingsPosition,
  bound: number,
): Promise<{ postings: PostingOfRows[]; next: PostingsPosition | null }> {
  const rowsOfPosting = sql`cardinality(p.recording_ids) + (
    select count(*)
    from unnest(p.recording_ids) as i (recording_id)
    cross join lateral (
      select 1
      from attribution a
      where a.publisher_id = ${publisherId} and ${isOfRecording('a', 'i.recording_id')}
      order by a.attribution_id
      offset 0
    ) recorded
  )`;
  const { rows } = await sql<{ posting_id: PostingId; recording_ids: RecordingId[]; reached: bigint }>`
    ${withNextPostings(publisherId, left, rowsOfPosting, bound)}
    select posting_id, recording_ids, reached
    from s
    order by posting_id`.execute(tx);
  const last = rows.at(-1);
  return {
    postings: rows.map(({ posting_id, recording_ids }) => ({
      postingId: posting_id,
      recordingIds: recording_ids,
    })),
    next: nextPosition(left, {
      last: last?.posting_id ?? null,
      postings: rows.length,
      reached: Number(last?.reached ?? 0),
      bound,
    }),
  };
}

/** Returns a recording that has been posted but is still in the queue; null if there is none. */
async function findWaiting(
  tx: Tx,
  publisherId: string,
  postings: readonly PostingOfRows[],
): Promise<Finding | null> {
  const { rows } = await sql<{ recording_id: RecordingId; row_ids: string[] | null }>`
    select u.recording_id, ${sampleRowsOf(publisherId, 'u.recording_id')} as row_ids
    from unnest(${postings.flatMap(({ recordingIds }) => recordingIds)}::uuid[]) as i (recording_id)
    cross join lateral (
      select recording_id from unposted where publisher_id = ${publisherId} and recording_id = i.recording_id offset 0
    ) u
    order by u.recording_id
    limit 1`.execute(tx);
  const [found] = rows;
  if (found === undefined) return null;
  return { rule: 'posted', row: `recording ${found.recording_id}`, rows: found.row_ids ?? [] };
}

interface Sum {
  posting_id: PostingId;
  membership_id: MembershipId;
  currency: string;
}

/**
 * Compares postings with their entries in one snapshot. Reports a difference with the posting, the member and some of
 * the member's rows.
 */
async function comparePostings(
  tx: Tx,
  publisherId: string,
  postings: readonly PostingOfRows[],
): Promise<{ finding: Finding | null; entries: number; rows: number }> {
  const { rows } = await sql<Partial<Sum> & { entries: bigint; rows: bigint; too_late: PostingId | null }>`
    with a as materialized (
      select s.posting_id, s.earliest_date, a.membership_id, a.currency, a.is_test, a.share_minor, a.transaction_date
      from unnest(${postings.map(({ postingId }) => postingId)}::uuid[]) as named (posting_id)
      cross join lateral (
        select *
        from posting
        where publisher_id = ${publisherId} and posting_id = named.posting_id
        offset 0
      ) s
      ${rowsOfPosting(publisherId)}
    ),
    earned as materialized (
      select posting_id, membership_id, currency, sum(share_minor) as share_minor
      from a
      where not is_test
      group by posting_id, membership_id, currency
    ),
    wrong as (
      select earned.posting_id, earned.membership_id, earned.currency
      from earned
      ${lookUpEntry(
        publisherId,
        'e',
        { membership: 'earned.membership_id', currency: 'earned.currency', subject: 'earned.posting_id' },
        'payment',
      )}
      where e.amount_minor is distinct from earned.share_minor
      order by 1, 2, 3
      limit 1
    )
    select wrong.*, total.*
    from (
      select (select count(*) from earned) as entries, count(*) as rows,
             min(posting_id::text) filter (where transaction_date < earliest_date)::uuid as too_late
      from a
    ) total
    left join wrong on true`.execute(tx);
  const [found] = rows;
  if (found === undefined) throw new Error('a count has no row');
  const { posting_id, membership_id, currency, too_late } = found;
  const finding =
    posting_id != null && membership_id != null && currency != null
      ? await describe(tx, publisherId, { posting_id, membership_id, currency })
      : too_late === null
        ? null
        : ({ rule: 'posting', row: `posting ${too_late}` } as const);
  return { finding, entries: Number(found.entries), rows: Number(found.rows) };
}

/** Returns the rows in the posting `s` as the relation `a`, reading one range of ids per recording. */
const rowsOfPosting = (publisherId: string): RawBuilder<unknown> => sql`
  cross join unnest(s.recording_ids) as i (recording_id)
  cross join lateral (
    select *
    from attribution a
    where a.publisher_id = ${publisherId} and ${isOfRecording('a', 'i.recording_id')}
    order by a.attribution_id
    offset 0
  ) a`;

async function describe(
  tx: Tx,
  publisherId: string,
  { posting_id, membership_id, currency }: Sum,
): Promise<Finding> {
  const { rows } = await sql<{ attribution_id: string }>`
    select a.attribution_id
    from posting s
    ${rowsOfPosting(publisherId)}
    where s.publisher_id = ${publisherId} and s.posting_id = ${posting_id} and a.membership_id = ${membership_id}
      and a.currency = ${currency} and not a.is_test
    order by a.attribution_id
    limit ${maxRowsNamed}`.execute(tx);
  return {
    rule: 'entry',
    row: `posting ${posting_id}, membership ${membership_id} in ${currency}`,
    rows: rows.map(({ attribution_id }) => attribution_id),
  };
}
