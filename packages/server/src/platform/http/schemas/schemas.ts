import { type TSchema, Type } from 'typebox';
import { currencyCodes } from '../../currencies.ts';
import { refusalCodes } from '../../refusal.ts';

// A schema with a `title` is a model: the document has it once, under this name, and refers to it.

/** Well-formed Unicode without U+0000, the two things PostgreSQL cannot keep. */
export const storable = '^[^\\u0000\\p{Surrogate}]*$';
/** Well-formed text without control characters. */
export const plain = '^[^\\p{Control}\\p{Surrogate}]*$';
/** Plain text without characters that change the direction of text (Unicode's bidirectional controls). */
export const visible = '^[^\\p{Control}\\p{Surrogate}\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]*$';

/** Description of the `visible` pattern in words. */
export const onlyVisible =
  'well-formed Unicode without control characters and without characters that change the direction of text';

/**
 * Patterns as the API's document writes them: without flags and without classes that some languages do not know. Text sent
 * as UTF-8 is well-formed anyway.
 */
export const portablePatterns: ReadonlyMap<string, string> = new Map([
  [storable, '^[^\\x00]*$'],
  [plain, '^[^\\x00-\\x1F\\x7F-\\x9F]*$'],
  [visible, '^[^\\x00-\\x1F\\x7F-\\x9F\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069]*$'],
]);

/** Text of at most `maxLength` characters. */
export const text = (maxLength: number, description?: string) =>
  Type.String({ maxLength, pattern: storable, ...(description === undefined ? {} : { description }) });

export const timestamp = (description: string) =>
  Type.String({
    format: 'date-time',
    description: `${description} ISO 8601 with Z or an offset, years 1970 to 2100.`,
  });

/** A model in a place that says more of it than the model does. */
export const said = <S extends TSchema>(model: S, description: string): S =>
  Object.defineProperties({} as S, {
    ...Object.getOwnPropertyDescriptors(model),
    'x-said': { value: description, enumerable: true },
  });

const currencyCode = Type.String({
  enum: [...currencyCodes],
  title: 'Currency',
  description: 'A currency by its ISO 4217 code, some that are no longer in use and BTC among them.',
});

export const currency = (description: string) => said(currencyCode, description);

/** The rule of an object that has exactly one of these properties. The document has a form of the object for each. */
export const oneOfThese = (...names: readonly string[]) => ({
  oneOf: names.map((name) => ({ required: [name] })),
});

/** The rule of an object that has at least one of these properties. */
export const anyOfThese = (...names: readonly string[]) => ({
  anyOf: names.map((name) => ({ required: [name] })),
});

/** The query parameter of the group resolution rule. */
export const groupId = Type.Optional(
  Type.String({
    maxLength: 255,
    description:
      "Creator group to use. A key scoped to one group always uses that group, whatever is sent; without it the publisher's default group is used.",
  }),
);

/** Pages are counted from 1. */
export const pageNumber = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 9_999, default: 1, description: 'Which page, counted from 1.' }),
);
export const pageSize = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 100, default: 10, description: 'Entries of a page.' }),
);

/** Fields of every page of a group's items, beside the items. */
export const pagingFields = {
  groupId: Type.String(),
  groupName: Type.String(),
  currentPage: Type.Integer(),
  currentPageSize: Type.Integer(),
  totalCount: Type.Integer({ description: 'Size of the whole result, not of this page.' }),
};

const errorCode = Type.Union([Type.String({ enum: [...refusalCodes] }), Type.String()], {
  title: 'ErrorCode',
  description: 'What went wrong. Later versions may add codes: take one you do not know by its status.',
});

const problem = Type.Object(
  { code: errorCode, message: Type.String({ description: 'For people; it may change.' }) },
  { title: 'Problem', description: 'Why a request was refused. Branch on the status and the code.' },
);

const asJson = (schema: TSchema) => ({ 'application/json': { schema } });
const asText = { 'text/plain': { schema: Type.String({ description: 'For people; it may change.' }) } };

/** An answer that is refused in the usual form. */
export const errorBody = (description: string) => ({ description, content: asJson(problem) });

/** Body that is the message alone, or plain text. */
export const messageBody = (description: string) => ({
  description,
  content: {
    ...asJson(
      Type.Object(
        { message: Type.String() },
        { title: 'ProblemMessage', description: 'Why a purchase was refused, for people.' },
      ),
    ),
    ...asText,
  },
});

/** One of saving a schedule. */
export const errorsBody = (description: string) => ({
  description,
  content: {
    ...asJson(
      Type.Object(
        { errors: Type.Array(Type.Object({ message: Type.String() })) },
        { title: 'ProblemList', description: 'Why a schedule was refused, for people.' },
      ),
    ),
    ...asText,
  },
});

export const textBody = (description: string) => ({ description, content: asText });

/** The answers of operations that read a body, beside the others. */
export const bodyErrors = {
  413: errorBody('PayloadTooLarge: the body is larger than 5 MiB.'),
  415: errorBody('InvalidInput: the content type is not one this operation reads.'),
} as const;

/** The answers that every operation with a key may give. */
export const commonErrors = {
  401: errorBody('Unauthorized: the key is missing, malformed, unknown, expired or revoked.'),
  429: errorBody(
    'RateLimited: too many requests with bad keys from this address, too many look-ups or links that failed, or past the limit of this key.',
  ),
  500: errorBody(
    'UnknownError: something nobody foresaw; the log has it under the X-Request-Id of the answer.',
  ),
  503: errorBody('Unavailable: the service cannot answer now; Retry-After says when to try again.'),
} as const;

export const secretErrors = {
  ...commonErrors,
  403: errorBody('Forbidden: the operation needs a secret key.'),
} as const;
