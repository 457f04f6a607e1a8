import { type TSchema, Type } from 'typebox';
import { errorBody } from '../platform/http/schemas/schemas.ts';

/** What every operation of the admin API may answer beside its own. */
export const adminErrors = {
  400: errorBody('InvalidInput, or another reason why nothing was done.'),
  401: errorBody('Unauthorized: nobody is signed in.'),
  403: errorBody('Forbidden: the role may not. SignInAgain: the sign-in is older than five minutes.'),
  404: errorBody('NotFound: no such thing, or not of this publisher, or not your publisher.'),
  409: errorBody('Conflict: somebody was faster, or it is not possible as things stand.'),
  413: errorBody('PayloadTooLarge.'),
  415: errorBody('InvalidInput: not JSON.'),
  429: errorBody('RateLimited.'),
  500: errorBody('UnknownError.'),
  503: errorBody('Unavailable.'),
};

/** An amount in minor units of its currency, as text: it may be larger than a JavaScript number holds. */
export const minor = (description: string) =>
  Type.String({ pattern: '^-?[0-9]{1,40}$', description: `${description} In minor units of the currency.` });

export const time = (description: string) =>
  Type.String({ format: 'date-time', description: `${description} ISO 8601, UTC.` });

export const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

/** How many rows of a list a page may have. */
export const pageLimits = [50, 100, 250] as const;

/** The query of a list that is read page by page. */
export const pageQuery = {
  cursor: Type.Optional(Type.String({ maxLength: 2_000, description: 'nextCursor of the page before.' })),
  limit: Type.Optional(Type.Integer({ enum: [...pageLimits], default: 50, description: 'Rows of a page.' })),
};

/** The group that a screen is about; all of them without it. */
export const groupQuery = {
  group: Type.Optional(
    Type.String({ minLength: 1, maxLength: 255, description: 'Of this creator group alone.' }),
  ),
};

/** One page of a list. */
export const pageOf = <Row extends TSchema>(row: Row, title: string) =>
  Type.Object(
    {
      rows: Type.Array(row),
      nextCursor: nullable(Type.String({ description: 'For the page after it; null on the last.' })),
    },
    { title },
  );

export const publisherPath = Type.Object({ publisherId: Type.String({ minLength: 1, maxLength: 255 }) });
