import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../platform/database/in-transaction.ts';
import type { RecordingId } from '../../../platform/database/tables.generated.ts';
import { lookUp, someRowsOf } from './look-up.ts';
import type { Finding } from './rules.ts';

/** What was posted beside the walk was posted in this time; all that ever was is read only for what was not. */
const lately = sql`s.posted_at > now() - interval '1 hour'`;
const ever = sql`true`;

/**
 * Holds what rows say of the recordings that they are of against what postings say that they posted. Both are walked
 * through side by side, so that few wait here for the other side: about as many as ever waited to be posted at a time.
 */
export class Recordings {
  readonly #recorded = new Set<RecordingId>();
  readonly #posted = new Set<RecordingId>();
  readonly #postedAgain = new Set<RecordingId>();

  /** Of rows that were read: each recording once. */
  recorded(ids: readonly RecordingId[]): void {
    for (const id of ids) if (!this.#posted.delete(id)) this.#recorded.add(id);
  }

  /** Of a posting that was read. */
  posted(ids: readonly RecordingId[]): void {
    for (const id of ids) {
      if (this.#recorded.delete(id)) continue;
      if (this.#posted.has(id)) this.#postedAgain.add(id);
      this.#posted.add(id);
    }
  }

  /**
   * At the end, in one moment: what found nothing on the other side waits, or was recorded or posted beside the walk, or
   * is not explained.
   */
  async findUnexplained(tx: Tx, publisherId: string): Promise<Finding | null> {
    const left = new Set([...this.#recorded, ...this.#posted, ...this.#postedAgain]);
    const places = await readPlaces(tx, publisherId, [...left]);
    const isNowhere = ({ waits, postings }: Place): boolean => !waits && postings === 0;
    const recordedOnly = places.filter(({ recordingId }) => this.#recorded.has(recordingId));
    await findPostings(tx, publisherId, recordedOnly.filter(isNowhere), lately);
    const postedToo = places.filter(({ recordingId }) => !this.#recorded.has(recordingId));
    await findPostings(tx, publisherId, [...recordedOnly.filter(isNowhere), ...postedToo], ever);
    const wrong = places.find(
      ({ rows, waits, postings }) => rows.length === 0 || postings + (waits ? 1 : 0) !== 1,
    );
    return wrong === undefined
      ? null
      : { rule: 'posted', row: `recording ${wrong.recordingId}`, rows: wrong.rows };
  }
}

/** Where a recording is. */
interface Place {
  recordingId: RecordingId;
  /** Some of its rows. */
  rows: readonly string[];
  waits: boolean;
  postings: number;
}

async function readPlaces(tx: Tx, publisherId: string, ids: readonly RecordingId[]): Promise<Place[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ recording_id: RecordingId; row_ids: string[] | null; waits: boolean }>`
    select i.recording_id, ${someRowsOf(publisherId, 'i.recording_id')} as row_ids, u.recording_id is not null as waits
    from unnest(${[...ids]}::uuid[]) as i (recording_id)
    ${lookUp('unposted', 'u', sql`publisher_id = ${publisherId} and recording_id = i.recording_id`)}
    order by i.recording_id`.execute(tx);
  return rows.map(({ recording_id, row_ids, waits }) => ({
    recordingId: recording_id,
    rows: row_ids ?? [],
    waits,
    postings: 0,
  }));
}

/** Counts by how many postings recordings were posted. @param among which postings, as `s` */
async function findPostings(
  tx: Tx,
  publisherId: string,
  places: readonly Place[],
  among: RawBuilder<unknown>,
): Promise<void> {
  if (places.length === 0) return;
  const { rows } = await sql<{ recording_id: RecordingId; postings: bigint }>`
    select i.recording_id, count(*) as postings
    from posting s
    cross join unnest(s.recording_ids) as i (recording_id)
    where s.publisher_id = ${publisherId} and ${among}
      and i.recording_id = any(${places.map(({ recordingId }) => recordingId)}::uuid[])
    group by i.recording_id`.execute(tx);
  const found = new Map(rows.map(({ recording_id, postings }) => [recording_id, Number(postings)]));
  for (const place of places) place.postings = found.get(place.recordingId) ?? 0;
}
