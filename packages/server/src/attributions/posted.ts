import { type RawBuilder, sql } from 'kysely';
import type { AttributionId, RecordingId } from '../platform/database/tables.generated.ts';

/** The recording commit of a row, of whose id it has all but the last sixteen bits (recording-id.ts). */
export const recordingOf = (attributionId: string): RawBuilder<RecordingId> =>
  sql`(left(${sql.ref(attributionId)}::text, 32) || '0000')::uuid`;

/**
 * Whether a row is posted: settlement counts it, and its share is shown. Until then its commit stands in the queue.
 * @param row the alias of `attribution`
 */
export const isPosted = (publisherId: string, row: string): RawBuilder<boolean> => sql`
  not exists (
    select 1
    from unposted waiting
    where waiting.publisher_id = ${publisherId}
      and waiting.recording_id = ${recordingOf(`${row}.attribution_id`)}
    offset 0 -- one probe a row: a queue is never as long as its statistics say, and all of it is nothing to read
  )`;

/** The highest id that a row of a recording commit may have. */
export const lastRowOf = (recordingId: string): RawBuilder<AttributionId> =>
  sql`(left(${sql.ref(recordingId)}::text, 32) || 'ffff')::uuid`;
