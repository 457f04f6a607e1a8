import { Type } from 'typebox';
import { lastChanges, type Provenance } from '../audit/last-changes.ts';
import type { Db } from '../platform/database/database.ts';
import { nullable, time } from './schemas.ts';

const changedBy = Type.Object(
  {
    at: time('Time of the change.'),
    kind: Type.String({ description: 'Kind of actor: key, staff, token, command, program-file or service.' }),
    name: Type.String({
      description: 'Name of the actor; for a program file, the name of the person who applied it.',
    }),
    file: nullable(Type.String({ description: 'Name of the program file; null for other actors.' })),
  },
  { title: 'ChangedBy' },
);

export const provenanceField = nullable(
  Type.Object(
    {
      last: changedBy,
      file: nullable(changedBy),
    },
    {
      title: 'Provenance',
      description:
        'Last change, and last change by a program file. Applying that file again would undo later changes.',
    },
  ),
);

/**
 * Adds each row's last change, read from the audit log.
 * @param targetOf returns a row's target in the audit log, such as `tier:…`
 */
export async function withProvenance<Row>(
  db: Db,
  publisherId: string,
  rows: readonly Row[],
  targetOf: (row: Row) => string,
) {
  const changes = await lastChanges(db, publisherId, rows.map(targetOf));
  return rows.map((row) => ({ ...row, provenance: shownProvenance(changes.get(targetOf(row))) }));
}

/** Reads the last change to a target, such as `tier:…`, from the audit log. */
export const provenanceOf = async (db: Db, publisherId: string, target: string) =>
  shownProvenance((await lastChanges(db, publisherId, [target])).get(target));

const shownProvenance = (provenance: Provenance | undefined) =>
  provenance === undefined
    ? null
    : { last: shownChange(provenance.last), file: provenance.file && shownChange(provenance.file) };

const shownChange = ({ at, actor }: Provenance['last']) => ({
  at,
  kind: actor.kind,
  name: actor.name,
  file: actor.kind === 'program-file' ? actor.id : null,
});
