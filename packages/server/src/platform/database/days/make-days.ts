import { sql } from 'kysely';
import { type CoveredIds, coverIds } from '../../dated-ids.ts';
import type { Db } from '../database.ts';
import { dayTables } from './day-tables.ts';

/**
 * Number of days for which partitions are created in advance, so that all processes can be down for a week. More days
 * would mean more tables to copy and lock.
 */
export const daysAhead = 8;

/**
 * Creates missing partitions for the coming days, and limits this process's ids to the days that have partitions. Every
 * process does this once an hour, but usually the first one creates the partitions for all of them.
 * @returns the number of partitions created
 */
export async function makeDays(db: Db): Promise<number> {
  let made = 0;
  for (const table of dayTables) {
    const { rows } = await sql<{ made: number }>`
      select make_day_partitions(${table}, ${daysAhead}) as made`.execute(db);
    made += rows[0]?.made ?? 0;
  }
  coverIds(await readCoveredIds(db));
  return made;
}

/** Returns the range of ids that every table has a partition for. */
export async function readCoveredIds(db: Db): Promise<CoveredIds> {
  let covered: CoveredIds | null = null;
  for (const table of dayTables) {
    const { rows } = await sql<CoveredIds>`
      select case when bool_or(first_id is null) then null else min(first_id::text) end as first,
             max(end_id::text) as end
      from day_partitions(${table})`.execute(db);
    const [found] = rows;
    if (found === undefined) throw new Error(`${table} has no partitions`);
    covered = covered === null ? found : both(covered, found);
  }
  if (covered === null) throw new Error('there are no tables with partitions');
  return covered;
}

const both = (one: CoveredIds, other: CoveredIds): CoveredIds => {
  const firsts = [one.first, other.first].filter((id) => id !== null).sort();
  const [end = ''] = [one.end, other.end].sort();
  return { first: firsts.at(-1) ?? null, end };
};
