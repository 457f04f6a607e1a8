import { Type } from 'typebox';
import type { Provenance } from '../../audit/last-changes.ts';
import { nullable, time } from '../schemas.ts';

export const percentNumber = (description: string) =>
  Type.Number({ minimum: 0, maximum: 100, description: `${description} Percent, at most four decimals.` });

export const versionField = Type.String({
  description: 'Version to send with an edit.',
});

/** Schema of the version that an edit is based on. */
export const editedVersion = Type.String({
  maxLength: 64,
  description: 'Version as last read. If it has changed since, nothing is saved and the response is 409.',
});

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

const shownChange = ({ at, actor }: Provenance['last']) => ({
  at,
  kind: actor.kind,
  name: actor.name,
  file: actor.kind === 'program-file' ? actor.id : null,
});

export const shownProvenance = (provenance: Provenance | undefined) =>
  provenance === undefined
    ? null
    : { last: shownChange(provenance.last), file: provenance.file && shownChange(provenance.file) };
