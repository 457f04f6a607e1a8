import { type Static, Type } from 'typebox';
import { storable } from '../../platform/http/schemas/schemas.ts';
import { closed } from '../../platform/inputs.ts';

/** Undecided applications that a group takes by default. */
export const defaultMaxPending = 100;

/** Schema of a group's settings for applications. Absent settings don't change. */
export const applicationsInput = Type.Object(
  {
    open: Type.Optional(
      Type.Boolean({ description: 'True to let creators apply in the portal. Requires terms.' }),
    ),
    terms: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 20_000,
        pattern: storable,
        description: 'Terms that applicants accept, as plain text. A changed text is a new version.',
      }),
    ),
    maxPending: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10_000,
        description: `Maximum number of undecided applications. Defaults to ${defaultMaxPending}.`,
      }),
    ),
    reservedCodes: Type.Optional(
      Type.Array(Type.String({ pattern: '^[A-Za-z0-9_-]{2,32}$' }), {
        maxItems: 500,
        description: 'Codes that no applicant gets, in any case.',
      }),
    ),
  },
  { ...closed, title: 'ApplicationsInput', description: "Settings of a group's applications." },
);

export type ApplicationsInput = Static<typeof applicationsInput>;
