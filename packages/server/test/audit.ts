import { sql } from 'kysely';
import type { Db } from '../src/platform/database/database.ts';

/** An entry of the audit log as a test compares it. */
export interface WrittenEntry {
  publisher_id: string;
  actor_kind: string;
  actor_id: string;
  actor_name: string;
  address: string | null;
  request_id: string | null;
  command: string | null;
  action: string;
  target: string;
  before: unknown;
  after: unknown;
  reason: string | null;
  /** The transaction that wrote it. */
  xmin: string;
}

/** Every entry, in the order in which they were made. */
export async function writtenEntries(db: Db): Promise<WrittenEntry[]> {
  const { rows } = await sql<WrittenEntry>`
    select publisher_id, actor_kind, actor_id, actor_name, address, request_id, command, action, target, before, after, reason, xmin
    from audit_entry
    order by audit_id`.execute(db);
  return rows;
}

/** What some work adds to the log. */
export async function entriesOf(db: Db, work: () => Promise<unknown>): Promise<WrittenEntry[]> {
  const before = (await writtenEntries(db)).length;
  await work();
  return (await writtenEntries(db)).slice(before);
}
