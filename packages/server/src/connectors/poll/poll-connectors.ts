import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { polledIds } from '../providers/all-providers.ts';
import { pollConnector } from './poll-connector.ts';
import type { PollDeps } from './poll-deps.ts';

/** Polls that run at the same time. A slow provider then doesn't keep other connectors waiting. */
const atOnce = 4;
const connectorsAtOnce = 100;

/**
 * Polls the connectors that are due.
 * @returns the number of events that were stored
 */
export async function pollConnectors(deps: PollDeps, stopping: AbortSignal): Promise<number> {
  const left = await readDue(deps.db, deps.clock.now());
  let stored = 0;
  const polls = await Promise.allSettled(
    Array.from({ length: Math.min(atOnce, left.length) }, async () => {
      for (let key = left.shift(); key !== undefined && !stopping.aborted; key = left.shift())
        stored += await pollConnector(deps, key, stopping);
    }),
  );
  const failed = polls.find((poll) => poll.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return stored;
}

async function readDue(db: Db, now: Date): Promise<{ publisherId: string; connectorId: string }[]> {
  const { rows } = await sql<{ publisherId: string; connectorId: string }>`
    select publisher_id as "publisherId", connector_id as "connectorId"
    from connector
    where provider = any(${[...polledIds]}::text[]) and secret is not null and paused_at is null and removed_at is null
      and (next_poll_at is null or next_poll_at <= ${now})
    order by next_poll_at nulls first
    limit ${connectorsAtOnce}`.execute(db);
  return rows;
}
