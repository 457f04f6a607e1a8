import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import { rowIdAt } from '../platform/ids.ts';
import { type Connector, connectorColumns, toConnector } from './connector-record.ts';

export interface EventCounts extends Record<'waiting' | 'done' | 'ignored' | 'failed', number> {
  /** Number of samples among the done events. Only the latest events are looked at. */
  samples: number;
}

export interface ListedConnector extends Connector {
  /** Numbers of events of the last 30 days; each at most 10,000. */
  counts: EventCounts;
  /** Arrival of the latest event, except for samples. */
  lastEventAt: Date | null;
  /** Arrival of the latest order that recorded a purchase, except for samples. Only the latest events are looked at. */
  lastRecordedAt: Date | null;
}

const countedDays = 30;
const maxCount = 10_000;
/** Number of finished events, newest first, among which samples and the latest recorded order are looked for. */
const maxSearched = 1_000;

const noEvents: EventCounts = { waiting: 0, done: 0, ignored: 0, failed: 0, samples: 0 };

/** Lists a publisher's connectors by name, with the numbers of their events. */
export async function listConnectors(db: Db, publisherId: string, now: Date): Promise<ListedConnector[]> {
  const rows = await db
    .selectFrom('connector')
    .select(connectorColumns)
    .where('publisher_id', '=', publisherId)
    .where('removed_at', 'is', null)
    .orderBy('name')
    .execute();
  const since = new Date(now.getTime() - countedDays * 86_400_000);
  return Promise.all(
    rows.map(async (row) => ({
      ...toConnector(row),
      ...(await readCounts(db, publisherId, row.connector_id, since)),
    })),
  );
}

export async function readCounts(
  db: Db,
  publisherId: string,
  connectorId: string,
  since: Date,
): Promise<Pick<ListedConnector, 'counts' | 'lastEventAt' | 'lastRecordedAt'>> {
  const count = (status: string) => sql<number>`(
    select count(*)::int
    from (
      select 1
      from connector_event
      where publisher_id = ${publisherId} and connector_id = ${connectorId} and status = ${status}
        and connector_event_id >= ${rowIdAt(since)}::uuid
      limit ${maxCount}
    ) found)`;
  const { rows } = await sql<EventCounts & { last_at: Date | null; recorded_at: Date | null }>`
    select ${count('Waiting')} as waiting, ${count('Done')} as done, ${count('Ignored')} as ignored,
           ${count('Failed')} as failed, finished.samples, finished.recorded_at, (
             select max(received_at)
             from (
               select received_at
               from connector_event
               where publisher_id = ${publisherId} and connector_id = ${connectorId} and not is_sample
               order by connector_event_id desc
               limit 1
             ) newest
           ) as last_at
    from (
      select count(*) filter (where is_sample and connector_event_id >= ${rowIdAt(since)}::uuid)::int as samples,
             max(received_at) filter (where kind = 'Sale' and not is_sample) as recorded_at
      from (
        select connector_event_id, received_at, kind, is_sample
        from connector_event
        where publisher_id = ${publisherId} and connector_id = ${connectorId} and status = 'Done'
        order by connector_event_id desc
        limit ${maxSearched}
      ) newest_done
    ) finished`.execute(db);
  const [{ last_at, recorded_at, ...counts } = { ...noEvents, last_at: null, recorded_at: null }] = rows;
  return { counts, lastEventAt: last_at, lastRecordedAt: recorded_at };
}
