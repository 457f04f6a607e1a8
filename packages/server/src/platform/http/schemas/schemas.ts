import { type TSchema, Type } from 'typebox';
import { currencyCodes } from '../../currencies.ts';
import { refusalCodes } from '../../refusal.ts';

// A schema with a `title` is a model. The document contains each model once, under its title, and refers to
// it elsewhere.

/** Pattern of text that PostgreSQL can store: well-formed Unicode without U+0000. */
export const storable = '^[^\\u0000\\p{Surrogate}]*$';
/** Pattern of well-formed text without control characters. */
export const plain = '^[^\\p{Control}\\p{Surrogate}]*$';
/**
 * Pattern of plain text without characters that change the text direction (Unicode's bidirectional controls).
 */
export const visible = '^[^\\p{Control}\\p{Surrogate}\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]*$';

export const onlyVisible =
  'well-formed Unicode without control characters or characters that change the text direction';

/**
 * Equivalents of the patterns above for the OpenAPI document, without flags or classes that some languages don't
 * support. Text sent as UTF-8 is always well-formed.
 */
export const portablePatterns: ReadonlyMap<string, string> = new Map([
  [storable, '^[^\\x00]*$'],
  [plain, '^[^\\x00-\\x1F\\x7F-\\x9F]*$'],
  [visible, '^[^\\x00-\\x1F\\x7F-\\x9F\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069]*$'],
]);

export const text = (maxLength: number, description?: string) =>
  Type.String({ maxLength, pattern: storable, ...(description === undefined ? {} : { description }) });

export const timestamp = (description: string) =>
  Type.String({
    format: 'date-time',
    description: `${description} ISO 8601 with Z or an offset, years 1970 to 2100.`,
  });

/** Returns a copy of a model with a description for one particular place in the document. */
export const described = <S extends TSchema>(model: S, description: string): S =>
  Object.defineProperties({} as S, {
    ...Object.getOwnPropertyDescriptors(model),
    'x-description': { value: description, enumerable: true },
  });

const currencyCode = Type.String({
  enum: [...currencyCodes],
  title: 'Currency',
  description: 'An ISO 4217 currency code, including some withdrawn ones, or BTC.',
});

export const currency = (description: string) => described(currencyCode, description);

/**
 * Rule that an object has exactly one of the given properties. The document shows a separate form of the
 * object for each property.
 */
export const oneOfThese = (...names: readonly string[]) => ({
  oneOf: names.map((name) => ({ required: [name] })),
});

/** Rule that an object has at least one of the given properties. */
export const anyOfThese = (...names: readonly string[]) => ({
  anyOf: names.map((name) => ({ required: [name] })),
});

export const groupId = Type.Optional(
  Type.String({
    maxLength: 255,
    description:
      "Creator group to use. Defaults to the publisher's default group. A key that is scoped to one group always uses that group.",
  }),
);

export const pageNumber = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 9_999, default: 1, description: 'Page number, starting at 1.' }),
);
export const pageSize = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 100, default: 10, description: 'Number of entries per page.' }),
);

/** Fields on every page of a group's items, in addition to the items themselves. */
export const pagingFields = {
  groupId: Type.String(),
  groupName: Type.String(),
  currentPage: Type.Integer(),
  currentPageSize: Type.Integer(),
  totalCount: Type.Integer({ description: 'Total number of entries on all pages.' }),
};

const errorCode = Type.Union([Type.String({ enum: [...refusalCodes] }), Type.String()], {
  title: 'ErrorCode',
  description: 'Error code. Later versions may add codes. Handle an unknown code by its HTTP status.',
});

const problem = Type.Object(
  { code: errorCode, message: Type.String({ description: 'Human-readable text. It may change.' }) },
  { title: 'Problem', description: 'Reason why a request was rejected. Branch on the status and the code.' },
);

const asJson = (schema: TSchema) => ({ 'application/json': { schema } });
const asText = {
  'text/plain': { schema: Type.String({ description: 'Human-readable text. It may change.' }) },
};

const problemOfInput = Type.Object(
  {
    ...problem.properties,
    path: Type.Optional(
      Type.Array(Type.Union([Type.String(), Type.Integer()]), {
        description:
          'Place of the mistake in the body: names of properties and positions in lists, outermost first. Absent if the error is not about a single value.',
      }),
    ),
  },
  {
    title: 'InputProblem',
    description: 'Reason why an input was rejected. Branch on the status and the code.',
  },
);

/** Error response that can name the place of a mistake. */
export const inputErrorBody = (description: string) => ({ description, content: asJson(problemOfInput) });

export const errorBody = (description: string) => ({ description, content: asJson(problem) });

/** Error response with only a message, or plain text. */
export const messageBody = (description: string) => ({
  description,
  content: {
    ...asJson(
      Type.Object(
        { message: Type.String() },
        { title: 'ProblemMessage', description: 'Human-readable reason why a purchase was refused.' },
      ),
    ),
    ...asText,
  },
});

/** Error response when saving a schedule fails. */
export const errorsBody = (description: string) => ({
  description,
  content: {
    ...asJson(
      Type.Object(
        { errors: Type.Array(Type.Object({ message: Type.String() })) },
        { title: 'ProblemList', description: 'Human-readable reasons why a schedule was rejected.' },
      ),
    ),
    ...asText,
  },
});

export const textBody = (description: string) => ({ description, content: asText });

export const bodyErrors = {
  413: errorBody('PayloadTooLarge: the body is larger than 5 MiB.'),
  415: errorBody('InvalidInput: the operation does not support this content type.'),
} as const;

export const commonErrors = {
  401: errorBody('Unauthorized: the key is missing, malformed, unknown, expired or revoked.'),
  429: errorBody(
    'RateLimited: too many requests with invalid keys from this address, too many failed lookups or links, or more requests than this key may send.',
  ),
  500: errorBody(
    'UnknownError: an unexpected error. Look up the X-Request-Id of the response in the log for details.',
  ),
  503: errorBody('Unavailable: the service is temporarily unavailable; Retry-After says when to retry.'),
} as const;

export const secretErrors = {
  ...commonErrors,
  403: errorBody('Forbidden: the operation requires a secret key.'),
} as const;

/** Returns the schema of a WebAuthn message, which is passed through unchanged. */
export const webAuthn = (description: string, title: string) =>
  Type.Object({}, { additionalProperties: true, description, title });
