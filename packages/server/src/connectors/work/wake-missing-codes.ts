import { sql } from 'kysely';
import { resolveCodes } from '../../members/read/resolve-codes.ts';
import { resolveGroup } from '../../publishers/resolve-group.ts';
import { keptMs } from '../events/event-record.ts';
import type { EventDeps } from './deps.ts';

/** Codes of a connector that a round looks up. */
const codesAtOnce = 1_000;

/**
 * Makes purchases due whose code was unknown when they arrived, at most 30 days ago, and is approved now.
 * @returns the number of events
 */
export async function wakeMissingCodes(deps: Pick<EventDeps, 'db' | 'clock' | 'programs'>): Promise<number> {
  const { db, clock, programs } = deps;
  const since = new Date(clock.now().getTime() - keptMs);
  const { rows } = await sql<{ publisher_id: string; connector_id: string; group_id: string | null }>`
    select distinct e.publisher_id, e.connector_id, c.group_id
    from connector_event e
    join connector c on c.connector_id = e.connector_id
    where e.missing_code is not null and e.received_at >= ${since} and c.removed_at is null
      and c.paused_at is null
    order by e.publisher_id, e.connector_id`.execute(db);
  let woken = 0;
  for (const { publisher_id: publisherId, connector_id, group_id } of rows) {
    const program = await programs.get(publisherId);
    if (program === null) continue;
    const { groupId } = await resolveGroup(programs, publisherId, null, group_id ?? undefined);
    const codes = await readMissing(deps, { publisherId, connectorId: connector_id, since });
    const found = await resolveCodes(db, program, groupId, new Set(codes));
    if (found.size === 0) continue;
    const { numAffectedRows } = await sql`
      update connector_event
      set status = 'Waiting', reason = 'New', next_attempt_at = ${clock.now()}, finished_at = null, missing_code = null
      where publisher_id = ${publisherId} and connector_id = ${connector_id} and status = 'Ignored'
        and missing_code = any(${[...found.keys()]}::text[]) and received_at >= ${since}`.execute(db);
    woken += Number(numAffectedRows ?? 0);
  }
  return woken;
}

async function readMissing(
  { db }: Pick<EventDeps, 'db'>,
  { publisherId, connectorId, since }: { publisherId: string; connectorId: string; since: Date },
): Promise<string[]> {
  const { rows } = await sql<{ missing_code: string }>`
    select distinct missing_code
    from connector_event
    where publisher_id = ${publisherId} and connector_id = ${connectorId} and missing_code is not null
      and received_at >= ${since}
    limit ${codesAtOnce}`.execute(db);
  return rows.map(({ missing_code }) => missing_code);
}
