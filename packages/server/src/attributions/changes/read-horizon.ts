import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { readMoment } from '../../platform/database/moment.ts';
import type { RecordingId } from '../../platform/database/tables.generated.ts';
import { timeOfRowId } from '../../platform/ids.ts';
import { publisherLockKey } from './mark-change.ts';

/**
 * Minimum distance between readers and the current time. Recordings usually commit within milliseconds. A
 * recording that takes longer than this distance is not missed, because posting marks its rows as changed.
 */
const horizonLagMs = 1_000;

/**
 * Returns the time up to which changes may be read. Every change with an earlier time is committed, and every
 * committed recording with an earlier time is posted. If a recording with an earlier time commits later,
 * posting compares its time with the horizon in `change_feed` (mark-change.ts,
 * docs/adr/0050-changes-in-order.md).
 * @param db the primary, because a replica has neither the primary's locks nor its latest commits
 */
export async function readHorizon(db: Db, publisherId: string): Promise<Date> {
  const now = await readMoment(db); // read before the locks, because a lock taken afterward has a later time
  const { rows: changing } = await sql<{ second: string | null }>`
    select min(k.objid::bigint)::text as second
    from pg_locks k
    where k.locktype = 'advisory' and k.objsubid = 1 and k.classid::bigint = ${publisherLockKey(publisherId)}
      and k.database = (select d.oid from pg_database d where d.datname = current_database())`.execute(db);
  const { rows: waiting } = await sql<{ recording_id: RecordingId }>`
    select recording_id from unposted where publisher_id = ${publisherId} order by recording_id limit 1`.execute(
    db,
  );
  const changingSecond = changing[0]?.second ?? null;
  const oldestWaiting = waiting[0]?.recording_id;
  const horizon = new Date(
    Math.min(
      now.getTime() - horizonLagMs,
      changingSecond === null ? Number.POSITIVE_INFINITY : Number(changingSecond) * 1_000,
      oldestWaiting === undefined ? Number.POSITIVE_INFINITY : timeOfRowId(oldestWaiting).getTime(),
    ),
  );
  await sql`
    insert into change_feed (publisher_id, read_before)
    values (${publisherId}, ${horizon}::timestamptz)
    on conflict (publisher_id) do update
    set read_before = excluded.read_before
    where change_feed.read_before < excluded.read_before`.execute(db);
  return horizon;
}
