import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import type { Actor } from './actor.ts';
import type { Facts } from './record-change.ts';

/** Something that a program file says, and that somebody changed on another way since: the file, applied again, undoes that. */
export interface EditedSince {
  /** `kind:id` */
  target: string;
  /** The file that last wrote it. */
  file: string;
  filedAt: Date;
  by: Pick<Actor, 'kind' | 'name'>;
  editedAt: Date;
  /** It was deleted: the file makes it again. */
  isRemoved: boolean;
  fields: { name: string; file: unknown; now: unknown }[];
}

/** Edits looked at, the newest first: what is older was seen by somebody long ago. */
const maxEdits = 1_000;
const people = ['staff', 'token', 'command', 'key'] satisfies Actor['kind'][];
/** What files write. A bounty that was ended stays so, whatever a file says; a code's auth code is no setting. */
const ofFiles = '^(publisher|group|tier|sku-share|schedule|member)[.]|^bounty[.]put$';

/**
 * Which things were last said by a program file and have been edited since, field by field, the latest edit first. A field
 * counts that a file is known to have written; one that was edited back to what the file says does not.
 */
export async function editedSinceFile(db: Db, publisherId: string): Promise<EditedSince[]> {
  const { rows: edits } = await sql<Entry>`
    select audit_id, at, actor_kind, actor_id, actor_name, action, target, after
    from audit_entry edited
    where publisher_id = ${publisherId} and actor_kind = any(${people}::text[]) and action ~ ${ofFiles}
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
  const things = new Map<string, Thing>();
  for (const entry of entries) {
    const key = keyOf(entry);
    const thing = things.get(key) ?? newThing(entry);
    things.set(key, thing);
    if (entry.actor_kind === 'program-file') file(thing, entry);
    else edit(thing, entry);
  }
  return [...things.values()]
    .flatMap((thing) => editedOf(thing) ?? [])
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

/** An account is a member of each group for itself, and which group is the default is one thing. */
function keyOf({ action, target, after }: Entry): string {
  if (action === makeDefault) return makeDefault;
  return action.startsWith('member.') ? `${target} ${after?.group}` : target;
}

/** What an entry says, each property of a code for itself. */
const saidBy = ({ after }: Entry): [string, unknown][] =>
  Object.entries(after ?? {}).flatMap(([name, value]): [string, unknown][] => {
    if (name === 'group') return [];
    if (name !== 'codes' || typeof value !== 'object' || value === null) return [[name, value]];
    return Object.entries(value).flatMap(([code, facts]) =>
      Object.entries(facts ?? {}).map(([fact, each]): [string, unknown] => [`${code} ${fact}`, each]),
    );
  });

/** What is known of a target when its entries are read from the first to the last. */
interface Thing {
  target: string;
  filed: Map<string, unknown>;
  filing: Entry | null;
  edited: Map<string, unknown>;
  edit: Entry | null;
  isRemoved: boolean;
}

const newThing = ({ action, target }: Entry): Thing => ({
  target: action === makeDefault ? 'default-group' : target,
  filed: new Map(),
  filing: null,
  edited: new Map(),
  edit: null,
  isRemoved: false,
});

function file(thing: Thing, entry: Entry): void {
  thing.filing = entry;
  thing.isRemoved = false;
  for (const [name, value] of saidBy(entry)) {
    thing.filed.set(name, value);
    thing.edited.delete(name);
  }
}

function edit(thing: Thing, entry: Entry): void {
  if (thing.filing === null) return;
  thing.edit = entry;
  thing.isRemoved = entry.after === null && !entry.action.startsWith('member.');
  for (const [name, value] of saidBy(entry)) if (thing.filed.has(name)) thing.edited.set(name, value);
}

function editedOf({ target, filed, filing, edited, edit, isRemoved }: Thing): EditedSince | null {
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
