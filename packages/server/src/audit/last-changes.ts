import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import type { Actor } from './actor.ts';
import { storedTarget } from './record-change.ts';

export interface ChangedBy {
  at: Date;
  actor: Pick<Actor, 'kind' | 'id' | 'name'>;
}

/** Origin of a target's current values. */
export interface Provenance {
  last: ChangedBy;
  /**
   * Last program file that changed the target, even if another actor has changed the target since. Null if no
   * file has changed the target.
   */
  file: ChangedBy | null;
}

/**
 * Returns the last change of each target. Targets that have never been changed are absent.
 * @param targets `kind:id` each, at most one page
 */
export async function lastChanges(
  db: Db,
  publisherId: string,
  targets: readonly string[],
): Promise<ReadonlyMap<string, Provenance>> {
  const stored = new Map(targets.map((target) => [storedTarget(target), target]));
  const { rows } = await sql<{
    target: string;
    at: Date;
    actor_kind: Actor['kind'];
    actor_id: string;
    actor_name: string;
    filed_at: Date | null;
    file_id: string | null;
    file_by: string | null;
  }>`
    select asked.target, latest.at, latest.actor_kind, latest.actor_id, latest.actor_name,
           filed.at as filed_at, filed.actor_id as file_id, filed.actor_name as file_by
    from unnest(${[...stored.keys()]}::text[]) as asked (target)
    cross join lateral (
      select at, actor_kind, actor_id, actor_name
      from audit_entry
      where publisher_id = ${publisherId} and target = asked.target
      order by audit_id desc
      limit 1
    ) latest
    left join lateral (
      select at, actor_id, actor_name
      from audit_entry
      where publisher_id = ${publisherId} and target = asked.target and actor_kind = 'program-file'
      order by audit_id desc
      limit 1
    ) filed on true`.execute(db);
  return new Map(
    rows.map((row) => [
      stored.get(row.target) ?? row.target,
      {
        last: { at: row.at, actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name } },
        file:
          row.filed_at === null
            ? null
            : {
                at: row.filed_at,
                actor: { kind: 'program-file', id: row.file_id ?? '-', name: row.file_by ?? '-' },
              },
      },
    ]),
  );
}
