/** Every code an answer may carry, with its usual status. The contract's own first (docs/errors.md). */
const statusOf = {
  InvalidGroup: 400,
  CodeNotInGroup: 400,
  PlayerNotInGroup: 400,
  InvalidAuthCode: 400,
  ExpiredAuthCode: 400,
  AccountNotFound: 400,
  PlayerAlreadyLinked: 400,
  MemberAlreadyLinked: 400,
  MemberNotFound: 404,
  BountyNotFound: 400,
  InvalidEventCode: 400,
  InvalidCursor: 400,
  UnknownError: 500,

  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  InvalidInput: 400,
  InvalidStatus: 400,
  InvalidOrigin: 400,
  InvalidSort: 400,
  InvalidDate: 400,
  InvalidCodeScope: 400,
  InvalidPage: 400,
  InvalidPageSize: 400,
  PayloadTooLarge: 413,
  Conflict: 409,
  RateLimited: 429,
  Unavailable: 503,
} as const;

export type ErrorCode = keyof typeof statusOf;

export const errorCodes = Object.keys(statusOf) as readonly ErrorCode[];

/**
 * How an error is written: `{code, message}` unless the contract names another form for it.
 * `message`: `{message}`; `errors`: `{errors: [{message}]}`; `text`: the message as plain text; `status-text`: the status's own name.
 */
export type ErrorForm = 'code-and-message' | 'message' | 'errors' | 'text' | 'status-text';

interface Details {
  status?: number;
  form?: ErrorForm;
  /** Seconds after which trying again makes sense; sent as Retry-After. */
  retryAfterSeconds?: number;
}

/** An answer that is not a success. The message reaches the client: it says what to do, and no secrets. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly form: ErrorForm | null;
  readonly retryAfterSeconds: number | null;

  constructor(code: ErrorCode, message: string, details: Details = {}) {
    super(message);
    this.code = code;
    this.status = details.status ?? statusOf[code];
    this.form = details.form ?? null;
    this.retryAfterSeconds = details.retryAfterSeconds ?? null;
  }
}

/** The database, or a queue, cannot take the request now. */
export const unavailable = (message: string): ApiError =>
  new ApiError('Unavailable', message, { retryAfterSeconds: 1 });
