import { Type } from 'typebox';

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
