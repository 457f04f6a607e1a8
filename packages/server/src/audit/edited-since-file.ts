import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import type { Actor } from './actor.ts';
import type { Facts } from './record-change.ts';

/**
 * Target that was edited by other means after a program file wrote it. Applying the file again would undo the
 * edit.
 */
export interface EditedSince {
  /** `kind:id`. */
  target: string;
  /** File that last wrote the target. */
  file: string;
  filedAt: Date;
  by: Pick<Actor, 'kind' | 'name'>;
  editedAt: Date;
  /** True if the target was deleted. Applying the file would create the target again. */
  isRemoved: boolean;
  fields: { name: string; file: unknown; now: unknown }[];
}

/** Maximum number of edits read, newest first. */
const maxEdits = 1_000;
const editorKinds = ['staff', 'token', 'command', 'key'] satisfies Actor['kind'][];
/**
 * Actions that applying a program file can undo. A file can't reopen an ended bounty, and doesn't contain
 * auth codes.
 */
const fileActions = '^(publisher|group|tier|sku-share|schedule|member)[.]|^bounty[.]put$';

/**
 * Returns the targets that were edited after a program file wrote them, latest edit first. Fields are
 * compared one by one: a field counts only if a file has written it and its value now differs from the file's
 * value.
 */
export async function editedSinceFile(db: Db, publisherId: string): Promise<EditedSince[]> {
  const { rows: edits } = await sql<Entry>`
    select audit_id, at, actor_kind, actor_id, actor_name, action, target, after
    from audit_entry edited
    where publisher_id = ${publisherId} and actor_kind = any(${editorKinds}::text[]) and action ~ ${fileActions}
      and exists (
        select 1
        from audit_entry filed
        where filed.publisher_id = ${publisherId} and filed.target = edited.target
          and filed.actor_kind = 'program-file' and filed.audit_id < edited.audit_id
      )
    order by audit_id desc
    limit ${maxEdits}`.execute(db);
  if (edits.length === 0) return [];
  const targets = [...new Set(edits.map(({ target }) => target))];
  const { rows: filings } = await sql<Entry>`
    select audit_id, at, actor_kind, actor_id, actor_name, action, target, after
    from audit_entry
    where publisher_id = ${publisherId} and actor_kind = 'program-file'
      and (target = any(${targets}::text[]) or action = ${makeDefault})
    order by audit_id`.execute(db);
  const entries = [...filings, ...edits.toReversed()].sort((one, other) =>
    one.audit_id < other.audit_id ? -1 : 1,
  );
  const histories = new Map<string, TargetHistory>();
  for (const entry of entries) {
    const key = keyOf(entry);
    const history = histories.get(key) ?? newHistory(entry);
    histories.set(key, history);
    if (entry.actor_kind === 'program-file') addFiling(history, entry);
    else addEdit(history, entry);
  }
  return [...histories.values()]
    .flatMap((history) => editedOf(history) ?? [])
    .sort((one, other) => other.editedAt.getTime() - one.editedAt.getTime());
}

const makeDefault = 'group.make-default';

interface Entry {
  audit_id: string;
  at: Date;
  actor_kind: Actor['kind'];
  actor_id: string;
  actor_name: string;
  action: string;
  target: string;
  after: Facts | null;
}

/**
 * Returns the key of an entry's history. Members have one history per group. The choice of the default group
 * has its own history.
 */
function keyOf({ action, target, after }: Entry): string {
  if (action === makeDefault) return makeDefault;
  return action.startsWith('member.') ? `${target} ${after?.group}` : target;
}

/** Returns the facts of an entry. Each property of a code is a separate fact. */
const factsOf = ({ after }: Entry): [string, unknown][] =>
  Object.entries(after ?? {}).flatMap(([name, value]): [string, unknown][] => {
    if (name === 'group') return [];
    if (name !== 'codes' || typeof value !== 'object' || value === null) return [[name, value]];
    return Object.entries(value).flatMap(([code, facts]) =>
      Object.entries(facts ?? {}).map(([fact, each]): [string, unknown] => [`${code} ${fact}`, each]),
    );
  });

/** State of a target, built by reading its entries from oldest to newest. */
interface TargetHistory {
  target: string;
  filed: Map<string, unknown>;
  filing: Entry | null;
  edited: Map<string, unknown>;
  edit: Entry | null;
  isRemoved: boolean;
}

const newHistory = ({ action, target }: Entry): TargetHistory => ({
  target: action === makeDefault ? 'default-group' : target,
  filed: new Map(),
  filing: null,
  edited: new Map(),
  edit: null,
  isRemoved: false,
});

function addFiling(history: TargetHistory, entry: Entry): void {
  history.filing = entry;
  history.isRemoved = false;
  for (const [name, value] of factsOf(entry)) {
    history.filed.set(name, value);
    history.edited.delete(name);
  }
}

function addEdit(history: TargetHistory, entry: Entry): void {
  if (history.filing === null) return;
  history.edit = entry;
  history.isRemoved = entry.after === null && !entry.action.startsWith('member.');
  for (const [name, value] of factsOf(entry)) if (history.filed.has(name)) history.edited.set(name, value);
}

function editedOf({ target, filed, filing, edited, edit, isRemoved }: TargetHistory): EditedSince | null {
  const fields = [...edited].flatMap(([name, now]) =>
    isDeepStrictEqual(filed.get(name), now) ? [] : [{ name, file: filed.get(name), now }],
  );
  if (filing === null || edit === null || (fields.length === 0 && !isRemoved)) return null;
  return {
    target,
    file: filing.actor_id,
    filedAt: filing.at,
    by: { kind: edit.actor_kind, name: edit.actor_name },
    editedAt: edit.at,
    isRemoved,
    fields,
  };
}
