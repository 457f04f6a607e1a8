import { sql } from 'kysely';
import type { Db } from '../src/platform/database/database.ts';

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
  /** Transaction that wrote the entry. */
  xmin: string;
}

/** Returns all entries in the order they were created. */
export async function writtenEntries(db: Db): Promise<WrittenEntry[]> {
  const { rows } = await sql<WrittenEntry>`
    select publisher_id, actor_kind, actor_id, actor_name, address, request_id, command, action, target, before, after, reason, xmin
    from audit_entry
    order by audit_id`.execute(db);
  return rows;
}

export async function entriesOf(db: Db, work: () => Promise<unknown>): Promise<WrittenEntry[]> {
  const before = (await writtenEntries(db)).length;
  await work();
  return (await writtenEntries(db)).slice(before);
}

/**
 * Fills the log with entries dated 10 seconds apart, beginning at the start of 2026. Most entries come from a
 * key that approves members. Each rare kind of entry appears twenty times.
 */
export async function manyEntries(db: Db, publisherId: string, count: number): Promise<void> {
  await sql`
    insert into audit_entry (publisher_id, audit_id, at, actor_kind, actor_id, actor_name, action, target, after)
    select ${publisherId},
           (lpad(to_hex((extract(epoch from t.at) * 1000)::bigint), 12, '0') || '7000' || substr(md5(${publisherId}), 1, 4) || lpad(to_hex(n), 12, '0'))::uuid,
           t.at,
           case when n % ${count / 20} = 7 then 'staff' when n % ${count / 20} = 3 or n % 10 = 0 then 'command' else 'key' end,
           case when n % ${count / 20} = 3 then 'rare' else 'backend' end,
           'someone',
           case n % ${count / 20} when 3 then 'payout.rarely' when 5 then 'rarity.happen'
             else case when n % 3 = 0 then 'member.remove' else 'member.approve' end end,
           case when n % ${count / 20} = 3 then 'member:rare' else 'member:' || n end,
           jsonb_build_object('n', n)
    from generate_series(1, ${count}::int) as g (n)
    cross join lateral (select '2026-01-01T00:00:00Z'::timestamptz + n * interval '10 seconds') as t (at)`.execute(
    db,
  );
}
