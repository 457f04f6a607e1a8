import { sql } from 'kysely';
import type { Db } from './database.ts';

/**
 * Returns whether Citus is installed. If so, `attribution migrate` distributes publishers across its nodes.
 */
export async function hasCitus(db: Db): Promise<boolean> {
  const { rows } = await sql<{ has_citus: boolean }>`
    select exists (select 1 from pg_extension where extname = 'citus') as has_citus`.execute(db);
  return rows[0]?.has_citus === true;
}
