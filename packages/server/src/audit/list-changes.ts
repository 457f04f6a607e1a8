import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import { isRowId, rowIdFloor } from '../platform/ids.ts';
import type { Page, Pages } from '../platform/page.ts';
import { Refusal } from '../platform/refusal.ts';
import { type Actor, actorKinds } from './actor.ts';
import { type Facts, storedActorId, storedTarget } from './record-change.ts';

/** Entry in the audit log, as originally written. */
export interface AuditEntry {
  /** UUIDv7. */
  auditId: string;
  at: Date;
  actor: Actor;
  action: string;
  target: string;
  before: Facts | null;
  after: Facts | null;
  reason: string | null;
}

/** Filter for entries. Absent fields match all entries. */
export interface ChangeFilter {
  publisherId: string;
  /** Start of the time range; `until` is its end (exclusive). */
  from?: Date | undefined;
  until?: Date | undefined;
  actorKind?: string | undefined;
  actorId?: string | undefined;
  /** `noun.verb`, or `noun` to match all of its verbs. */
  action?: string | undefined;
  /** `kind:id`. */
  target?: string | undefined;
  /** Ids of entries. */
  auditIds?: readonly string[] | undefined;
}

/**
 * Returns one page of entries, newest first.
 * @param size 1 to 1,000
 * @throws Refusal InvalidCursor
 */
export async function listChanges(
  db: Db,
  pages: Pages,
  filter: ChangeFilter,
  { cursor, size }: { cursor: string | null; size: number },
): Promise<Page<AuditEntry>> {
  const listing = bindingOf(filter);
  const [beyond = null] = pages.after(listing, cursor) ?? [];
  const { rows } = await sql<EntryRow>`
    select ${entryColumns}
    from audit_entry
    where ${sql.join(conditions(filter, beyond), sql` and `)}
    order by audit_id desc
    limit ${size + 1}`.execute(db);
  const { rows: shown, nextCursor } = pages.cut(listing, rows, size, ({ audit_id }) => [audit_id]);
  return { rows: shown.map(toEntry), nextCursor };
}

/** @throws Refusal NotFound */
export async function getChange(db: Db, publisherId: string, auditId: string): Promise<AuditEntry> {
  const { rows } = isRowId(auditId)
    ? await sql<EntryRow>`
        select ${entryColumns}
        from audit_entry
        where publisher_id = ${publisherId} and audit_id = ${auditId}::uuid`.execute(db)
    : { rows: [] };
  const [row] = rows;
  if (row === undefined) throw new Refusal('NotFound', "The entry doesn't exist in the audit log.");
  return toEntry(row);
}

const entryColumns = sql`
  audit_id, at, actor_kind, actor_id, actor_name, address, request_id, command, action, target, before, after, reason`;

/**
 * Returns the values that determine which entries a list contains. A cursor is valid only for the same
 * values.
 */
const bindingOf = ({
  publisherId,
  from,
  until,
  actorKind,
  actorId,
  action,
  target,
  auditIds,
}: ChangeFilter): unknown => [
  'audit',
  publisherId,
  from?.getTime() ?? null,
  until?.getTime() ?? null,
  actorKind ?? null,
  actorId ?? null,
  action ?? null,
  target ?? null,
  ...(auditIds === undefined ? [] : [auditIds]),
];

/**
 * Builds the conditions for a page. Each filter is a range in an index, and all of these indexes end with the
 * id.
 */
function conditions(filter: ChangeFilter, beyond: string | null): RawBuilder<unknown>[] {
  const { publisherId, from, until, actorKind, actorId, action, target, auditIds } = filter;
  const all = [sql`publisher_id = ${publisherId}`];
  if (auditIds !== undefined) all.push(sql`audit_id = any(${[...auditIds]}::uuid[])`);
  if (beyond !== null) all.push(sql`audit_id < ${beyond}::uuid`);
  // Ids start with their time, so a range of ids limits the rows that are read. The condition on `at` then
  // excludes rows outside the exact range.
  if (from !== undefined) all.push(sql`audit_id >= ${rowIdFloor(from)}::uuid`, sql`at >= ${from}`);
  if (until !== undefined) all.push(sql`audit_id <= ${rowIdFloor(until, 'later')}::uuid`, sql`at < ${until}`);
  // The index on actors starts with the kind.
  if (actorKind !== undefined) all.push(sql`actor_kind = ${actorKind}`);
  else if (actorId !== undefined) all.push(sql`actor_kind = any(${[...actorKinds]}::text[])`);
  if (actorId !== undefined) all.push(sql`actor_id = ${storedActorId(actorId)}`);
  if (target !== undefined) all.push(sql`target = ${storedTarget(target)}`);
  if (action?.includes('.')) all.push(sql`action = ${action}`);
  else if (action !== undefined)
    // The column is sorted by bytes, and "/" is the byte after ".".
    all.push(sql`action > ${`${action}.`}`, sql`action < ${`${action}/`}`);
  return all;
}

interface EntryRow {
  audit_id: string;
  at: Date;
  actor_kind: Actor['kind'];
  actor_id: string;
  actor_name: string;
  address: string | null;
  request_id: string | null;
  command: string | null;
  action: string;
  target: string;
  before: Facts | null;
  after: Facts | null;
  reason: string | null;
}

function toEntry(row: EntryRow): AuditEntry {
  const { address, request_id: requestId, command } = row;
  return {
    auditId: row.audit_id,
    at: row.at,
    actor: {
      kind: row.actor_kind,
      id: row.actor_id,
      name: row.actor_name,
      ...(address !== null && { address }),
      ...(requestId !== null && { requestId }),
      ...(command !== null && { command }),
    },
    action: row.action,
    target: row.target,
    before: row.before,
    after: row.after,
    reason: row.reason,
  };
}
