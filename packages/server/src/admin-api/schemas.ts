import { type TSchema, type TSchemaOptions, Type } from 'typebox';
import { errorBody } from '../platform/http/schemas/schemas.ts';

export const adminErrors = {
  400: errorBody('InvalidInput, or another error in the request. Nothing was changed.'),
  401: errorBody('Unauthorized: the request has no valid session or operator token.'),
  403: errorBody(
    'Forbidden: the role lacks the permission. SignInAgain: the sign-in is older than five minutes.',
  ),
  404: errorBody('NotFound: the object does not exist, or it belongs to another publisher.'),
  409: errorBody(
    'Stale: the saved version is newer than the edited one. Conflict: the current state does not allow the change.',
  ),
  413: errorBody('PayloadTooLarge.'),
  415: errorBody('InvalidInput: the body is not JSON.'),
  429: errorBody('RateLimited.'),
  500: errorBody('UnknownError.'),
  503: errorBody('Unavailable.'),
};

/**
 * Returns the schema of an amount in a request: a string, because the amount may be too large for a
 * JavaScript number.
 */
export const inputMinor = (description: string) =>
  Type.String({ pattern: '^-?[0-9]{1,40}$', description: `${description} In minor units of the currency.` });

/** Returns the schema of an amount in a response. Handlers return a bigint, which is sent as a string. */
export const minor = (description: string) => Type.Unsafe<bigint | string>(inputMinor(description));

/** Returns the schema of a time in a response. Handlers return a Date, which is sent as ISO 8601. */
export const time = (description: string) =>
  Type.Unsafe<Date | string>(
    Type.String({ format: 'date-time', description: `${description} ISO 8601, UTC.` }),
  );

/** Returns a schema that accepts any of the values, typed as their union. */
export const oneOf = <const Value extends string>(values: readonly Value[], options: TSchemaOptions = {}) =>
  Type.Unsafe<Value>(
    Type.Union(
      values.map((value) => Type.Literal(value)),
      options,
    ),
  );

export const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

/** Returns the schema of a WebAuthn message, which is passed through unchanged. */
export const webAuthn = (description: string, title: string) =>
  Type.Object({}, { additionalProperties: true, description, title });

export const pageLimits = [50, 100, 250] as const;

export const pageQuery = {
  cursor: Type.Optional(Type.String({ maxLength: 2_000, description: 'nextCursor from the previous page.' })),
  limit: Type.Optional(Type.Integer({ enum: [...pageLimits], default: 50, description: 'Rows per page.' })),
};

/**
 * Query parameter that names a creator group. Without it, lists cover all groups, and other operations use the default
 * group.
 */
export const groupQuery = {
  group: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'Id of a creator group.' })),
};

export const currencyCode = (description: string) => Type.String({ pattern: '^[A-Z]{3}$', description });

export const pageOf = <Row extends TSchema>(row: Row, title: string) =>
  Type.Object(
    {
      rows: Type.Array(row),
      nextCursor: nullable(Type.String({ description: 'Cursor of the next page; null on the last page.' })),
    },
    { title },
  );

export const versionField = Type.String({
  description: 'Version to send with an edit, so that a stale edit is detected.',
});

export const editedVersion = Type.String({
  maxLength: 64,
  description:
    'Version as last read. If the version has changed since, nothing is saved and the response is 409 Stale.',
});

export const publisherPath = Type.Object({ publisherId: Type.String({ minLength: 1, maxLength: 255 }) });
