import { Type } from 'typebox';
import { currencyCodes } from '../../currencies.ts';

/** Well-formed Unicode without U+0000, the two things PostgreSQL cannot keep. */
export const storable = '^[^\\u0000\\p{Surrogate}]*$';

/** Text of at most `maxLength` characters. */
export const text = (maxLength: number, description?: string) =>
  Type.String({ maxLength, pattern: storable, ...(description === undefined ? {} : { description }) });

export const timestamp = (description: string) =>
  Type.String({
    format: 'date-time',
    description: `${description} ISO 8601 with Z or an offset, years 1970 to 2100.`,
  });

export const currency = (description: string) => Type.String({ enum: [...currencyCodes], description });

/** The query parameter of the group resolution rule. */
export const groupId = Type.Optional(
  Type.String({
    maxLength: 255,
    description:
      "Creator group to use. A key scoped to one group always uses that group, whatever is sent; without it the publisher's default group is used.",
  }),
);

/** Pages are counted from 1. */
export const pageNumber = Type.Optional(Type.Integer({ minimum: 1, maximum: 9_999, default: 1 }));
export const pageSize = Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 10 }));

/** What every page of a group's things says beside them. */
export const pagingFields = {
  groupId: Type.String(),
  groupName: Type.String(),
  currentPage: Type.Integer(),
  currentPageSize: Type.Integer(),
  totalCount: Type.Integer({ description: 'Size of the whole result, not of this page.' }),
};

const errorBody = (description: string) =>
  Type.Object({ code: Type.String(), message: Type.String() }, { description });

/** The answers of operations that read a body, beside the others. */
export const bodyErrors = {
  413: errorBody('PayloadTooLarge: the body is larger than 5 MiB.'),
  415: errorBody('InvalidInput: the content type is not one this operation reads.'),
} as const;

/** The answers that every operation with a key may give. */
export const commonErrors = {
  401: errorBody('Unauthorized: the key is missing, malformed, unknown, expired or revoked.'),
  429: errorBody(
    'RateLimited: too many requests with bad keys from this address, or past the limit of this key.',
  ),
  503: errorBody('Unavailable: the service cannot answer now; Retry-After says when to try again.'),
} as const;

export const secretErrors = {
  ...commonErrors,
  403: errorBody('Forbidden: the operation needs a secret key.'),
} as const;

/** The body of a schedule's 400. */
export const errorsBody = Type.Object({ errors: Type.Array(Type.Object({ message: Type.String() })) });

export { errorBody };
