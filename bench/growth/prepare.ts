import type pg from 'pg';
import { serviceActor } from '../../packages/server/src/audit/actor.ts';
import { applyProgramFile } from '../../packages/server/src/program-file/apply-program.ts';
import { readProgramFile } from '../../packages/server/src/program-file/read-program.ts';
import { type BenchService, openBenchDatabase } from '../lib/bench-service.ts';
import { addRows, countUnposted, waitUntilPosted } from '../lib/rows.ts';

export const smallPublisher = 'small';
export const smallRows = 10_000;
export const days = 90;

/**
 * Adds groups to the large publisher, and creates a small publisher with a few members.
 * @returns the small publisher's key
 */
export async function makePrograms(service: BenchService): Promise<string> {
  const database = openBenchDatabase(service);
  const apply = (program: object) =>
    applyProgramFile(database.db, serviceActor, readProgramFile(JSON.stringify(program), 'growth.json'));
  const members = (count: number, prefix: 'acc' | 'sma') =>
    Array.from({ length: count }, (_, n) => ({ id: `${prefix}_${n}`, playerId: `p-${n}` }));
  await apply({
    publisher: { id: 'bench' },
    groups: ['second', 'third'].map((id) => ({ id, revShare: 15, members: members(100, 'acc') })),
  });
  const { keys } = await apply({
    publisher: { id: smallPublisher, apiKeys: [{ name: 'backend', kind: 'secret' }] },
    groups: [{ id: 'main', revShare: 10, members: members(10, 'sma') }],
  });
  await database.close();
  return keys[0]?.key ?? '';
}

const step = 100_000;
/** Number of unposted rows above which filling pauses, as real clients would. */
const maxUnposted = 400_000;

/**
 * Adds the large publisher's purchases, oldest first, with the indexes in place. The service posts the
 * purchases as usual.
 */
export async function fill(client: pg.Client, rows: number): Promise<void> {
  for (let from = 0; from < rows; from += step) {
    const count = Math.min(step, rows - from);
    const daysAgo = (row: number): number => days * (1 - row / rows);
    await addRows(client, {
      publisherId: 'bench',
      count,
      fromDaysAgo: daysAgo(from),
      toDaysAgo: daysAgo(from + count),
    });
    // Autovacuum would analyze a grown table within a minute.
    if (from === 0) await client.query('analyze');
    while ((await countUnposted(client)) > maxUnposted)
      await new Promise((resolve) => setTimeout(resolve, 100));
    if ((from / step) % 10 === 9) console.log(`  ${from + count} rows`);
  }
  await waitUntilPosted(client, 600);
}

/** Returns the size of each table with its indexes, in bytes. */
export async function storedBytes(client: pg.Client): Promise<Record<string, number>> {
  const { rows } = await client.query<{ name: string; bytes: string }>(`
    select relname as name, pg_total_relation_size(oid) as bytes
    from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace`);
  return Object.fromEntries(rows.map(({ name, bytes }) => [name, Number(bytes)]));
}
