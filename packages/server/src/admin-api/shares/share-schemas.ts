import { Type } from 'typebox';
import type { Provenance } from '../../audit/last-changes.ts';
import { nullable, time } from '../schemas.ts';

export const percentNumber = (description: string) =>
  Type.Number({ minimum: 0, maximum: 100, description: `${description} Percent, at most four decimals.` });

export const versionField = Type.String({
  description: 'Of what it says; an edit sends the one it began with.',
});

/** The version that an edit began with. */
export const editedVersion = Type.String({
  maxLength: 64,
  description: 'As it was read. When it is another one by now, nothing is saved: 409.',
});

const changedBy = Type.Object(
  {
    at: time('When.'),
    kind: Type.String({ description: 'key, staff, token, command, program-file or service.' }),
    name: Type.String({ description: 'Who it was; of a program file, who applied it.' }),
    file: nullable(Type.String({ description: 'The program file; null for everybody else.' })),
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
        'Who last changed it, and the last program file that did: applied again, the file undoes what was changed since.',
    },
  ),
);

const shownChange = ({ at, actor }: Provenance['last']) => ({
  at: at.toISOString(),
  kind: actor.kind,
  name: actor.name,
  file: actor.kind === 'program-file' ? actor.id : null,
});

export const shownProvenance = (provenance: Provenance | undefined) =>
  provenance === undefined
    ? null
    : { last: shownChange(provenance.last), file: provenance.file && shownChange(provenance.file) };
