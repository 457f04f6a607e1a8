import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/in-transaction.ts';
import type { PostingId, RecordingId } from '../../../platform/database/tables.generated.ts';
import { rowIdFloor, timeOfRowId } from '../../../platform/ids.ts';
import type { Snapshots } from '../snapshots.ts';
import { type IdRange, lookUp, lowestId, sampleRowsOf } from './look-up.ts';
import { nextPosition, type PostingsPosition, withNextPostings } from './next-postings.ts';
import type { Finding } from './rules.ts';

/**
 * Matches the recordings that rows belong to against those in postings. Rows and postings are scanned side by side, so
 * that only about as many recordings are waiting for a match as were ever unposted at the same time.
 */
export class Recordings {
  readonly #recorded = new Set<RecordingId>();
  readonly #posted = new Set<RecordingId>();
  readonly #postedAgain = new Set<RecordingId>();
  /** Recordings found in a posting with an older id than their own. */
  readonly #postedEarly = new Set<RecordingId>();

  recorded(ids: readonly RecordingId[]): void {
    for (const id of ids) if (!this.#posted.delete(id)) this.#recorded.add(id);
  }

  posted(ids: readonly RecordingId[], postingId: PostingId): void {
    const madeLater = rowIdFloor(timeOfRowId(postingId), 'later');
    for (const id of ids) {
      if (id >= madeLater) this.#postedEarly.add(id);
      if (this.#recorded.delete(id)) continue;
      if (this.#posted.has(id)) this.#postedAgain.add(id);
      this.#posted.add(id);
    }
  }

  /**
   * Finds a recording that is neither unposted nor posted exactly once. An unmatched recording may be unposted, or it
   * may have been recorded or posted during the scan. Recordings that are no longer unposted are looked up in the
   * postings created since the earliest of them and, in the very rare case that one isn't found there, in earlier
   * postings.
   */
  async findUnexplained(snapshots: Snapshots, publisherId: string): Promise<Finding | null> {
    const left = [...new Set([...this.#recorded, ...this.#posted, ...this.#postedAgain])].sort();
    const places = await readPlaces(snapshots, publisherId, left);
    const sought = places.filter(({ waits }) => !waits);
    const [first] = sought;
    if (first !== undefined) {
      const from = rowIdFloor(timeOfRowId(first.recordingId));
      await findPostings(snapshots, publisherId, sought, { from, to: null });
      const elsewhere = sought.filter(
        ({ recordingId, postings }) => postings === 0 || this.#postedEarly.has(recordingId),
      );
      await findPostings(snapshots, publisherId, elsewhere, { from: lowestId, to: from });
    }
    const wrong = places.find(
      ({ recordingId, rows, waits, postings }) =>
        rows.length === 0 || (waits ? !this.#recorded.has(recordingId) : postings !== 1),
    );
    return wrong === undefined
      ? null
      : { rule: 'posted', row: `recording ${wrong.recordingId}`, rows: wrong.rows };
  }
}

interface Place {
  recordingId: RecordingId;
  rows: readonly string[];
  waits: boolean;
  postings: number;
}

async function readPlaces(
  snapshots: Snapshots,
  publisherId: string,
  ids: readonly RecordingId[],
): Promise<Place[]> {
  const places: Place[] = [];
  while (places.length < ids.length) {
    const some = ids.slice(places.length, places.length + snapshots.rows.value);
    const { rows } = await snapshots.read(snapshots.rows, async (tx) => ({
      ...(await sql<{ recording_id: RecordingId; row_ids: string[] | null; waits: boolean }>`
        select i.recording_id, ${sampleRowsOf(publisherId, 'i.recording_id')} as row_ids,
               u.recording_id is not null as waits
        from unnest(${some}::uuid[]) as i (recording_id)
        ${lookUp('unposted', 'u', sql`publisher_id = ${publisherId} and recording_id = i.recording_id`)}
        order by i.recording_id`.execute(tx)),
      taken: some.length,
    }));
    for (const { recording_id, row_ids, waits } of rows)
      places.push({ recordingId: recording_id, rows: row_ids ?? [], waits, postings: 0 });
  }
  return places;
}

/** Counts the postings in a range that contain each recording. The counts are final because postings never change. */
async function findPostings(
  snapshots: Snapshots,
  publisherId: string,
  places: readonly Place[],
  range: IdRange,
): Promise<void> {
  const byId = new Map(places.map((place) => [place.recordingId, place]));
  const ids = [...byId.keys()];
  for (
    let left: PostingsPosition | null = ids.length === 0 ? null : { ...range, after: null };
    left !== null;
  ) {
    const start: PostingsPosition = left;
    const { found, next } = await snapshots.read(snapshots.recordings, (tx) =>
      findInNextPostings(tx, publisherId, { ids, left: start, bound: snapshots.recordings.value }),
    );
    for (const id of found) {
      const place = byId.get(id);
      if (place !== undefined) place.postings += 1;
    }
    left = next;
  }
}

/** Returns the recordings in a range's next postings, once for each posting. */
async function findInNextPostings(
  tx: Tx,
  publisherId: string,
  { ids, left, bound }: { ids: readonly RecordingId[]; left: PostingsPosition; bound: number },
): Promise<{ found: RecordingId[]; next: PostingsPosition | null; taken: number }> {
  const { rows } = await sql<{
    last: PostingId | null;
    postings: bigint;
    reached: bigint | null;
    found: RecordingId[] | null;
  }>`
    ${withNextPostings(publisherId, left, sql`cardinality(p.recording_ids)`, bound)}
    select max(posting_id::text)::uuid as last, count(*) as postings, max(reached) as reached, (
      select array_agg(i.recording_id)
      from s
      cross join unnest(s.recording_ids) as i (recording_id)
      where i.recording_id = any(${[...ids]}::uuid[])
    ) as found
    from s`.execute(tx);
  const [piece] = rows;
  if (piece === undefined) throw new Error('a count has no row');
  const reached = Number(piece.reached ?? 0);
  const next = nextPosition(left, { last: piece.last, postings: Number(piece.postings), reached, bound });
  return { found: piece.found ?? [], next, taken: reached };
}
