import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import { isRowId, rowIdFloor } from '../platform/ids.ts';
import type { Page, Pages } from '../platform/page.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Actor } from './actor.ts';
import type { Facts } from './record-change.ts';

/** One entry of the audit log, as it was written. */
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

/** Which entries; those that are absent leave none out. */
export interface ChangeFilter {
  publisherId: string;
  /** Half-open, [from, until). */
  from?: Date | undefined;
  until?: Date | undefined;
  actorKind?: string | undefined;
  actorId?: string | undefined;
  /** `noun.verb`, or `noun` for every verb. */
  action?: string | undefined;
  /** `kind:id`. */
  target?: string | undefined;
}

/**
 * One page of what was changed, the newest first.
 * @param size 1 … 1,000
 * @throws Refusal InvalidCursor
 */
export async function listChanges(
  db: Db,
  pages: Pages,
  filter: ChangeFilter,
  { cursor, size }: { cursor: string | null; size: number },
): Promise<Page<AuditEntry>> {
  const listing = ['audit', filter];
  const [before = null] = pages.after(listing, cursor) ?? [];
  if (before !== null && !isRowId(before)) throw new Refusal('InvalidCursor', 'The cursor is of no entry.');
  const { publisherId, from = null, until = null, actorKind = null, actorId = null, target = null } = filter;
  const [noun = null, verb = null] = filter.action?.split('.') ?? [];
  // Ids begin with their time: the range of ids is what is read, and the time decides at its ends.
  const lowest = from === null ? null : rowIdFloor(from);
  const highest = until === null ? null : rowIdFloor(until, 'later');
  const { rows } = await sql<{
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
  }>`
    select audit_id, at, actor_kind, actor_id, actor_name, address, request_id, command, action, target, before, after, reason
    from audit_entry
    where publisher_id = ${publisherId}
      ${before === null ? sql`` : sql`and audit_id < ${before}::uuid`}
      ${lowest === null ? sql`` : sql`and audit_id >= ${lowest}::uuid and at >= ${from}`}
      ${highest === null ? sql`` : sql`and audit_id <= ${highest}::uuid and at < ${until}`}
      ${actorKind === null ? sql`` : sql`and actor_kind = ${actorKind}`}
      ${actorId === null ? sql`` : sql`and actor_id = ${actorId}`}
      ${target === null ? sql`` : sql`and target = ${target}`}
      ${noun === null ? sql`` : verb === null ? sql`and action like ${`${noun}.%`}` : sql`and action = ${`${noun}.${verb}`}`}
    order by audit_id desc
    limit ${size + 1}`.execute(db);
  const { rows: shown, nextCursor } = pages.cut(listing, rows, size, ({ audit_id }) => [audit_id]);
  return { rows: shown.map(toEntry), nextCursor };

  function toEntry(row: (typeof rows)[number]): AuditEntry {
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
}
