import type { InputPath, Refusal, RefusalCode } from '../../refusal.ts';

/** Default status for each error code. A route may override the status. */
const statusOf: Readonly<Record<RefusalCode, number>> = {
  InvalidGroup: 400,
  CodeNotInGroup: 400,
  PlayerNotInGroup: 400,
  InvalidAuthCode: 400,
  ExpiredAuthCode: 400,
  AccountNotFound: 400,
  PlayerAlreadyLinked: 400,
  MemberAlreadyLinked: 400,
  ReferralAccountNotFound: 400,
  MemberNotFound: 404,
  BountyNotFound: 400,
  InvalidEventCode: 400,
  InvalidCursor: 400,
  UnknownError: 500,

  Unauthorized: 401,
  SignInAgain: 403,
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
  Stale: 409,
  RateLimited: 429,
  Unavailable: 503,
};

/** Returns the status of a refusal, unless its route has another one. */
export const statusOfRefusal = (code: RefusalCode): number => statusOf[code];

/**
 * Form of an error's body: `{code, message}` unless the contract requires another form.
 * `message`: `{message}`; `errors`: `{errors: [{message}]}`; `text`: the message as plain text; `status-text`: the
 * status's name.
 */
export type ErrorForm = 'code-and-message' | 'message' | 'errors' | 'text' | 'status-text';

export interface RefusalAnswer {
  status?: number;
  form?: ErrorForm;
}

interface Details extends RefusalAnswer {
  retryAfterSeconds?: number | null;
  path?: InputPath | null;
  mistakes?: readonly string[];
  facts?: Refusal['facts'];
}

/**
 * Error that becomes a response. Its message is shown to the client, so it says what to do and doesn't contain secrets.
 */
export class ApiError extends Error {
  readonly code: RefusalCode;
  readonly status: number;
  readonly form: ErrorForm | null;
  readonly retryAfterSeconds: number | null;
  readonly path: InputPath | null;
  readonly mistakes: readonly string[];
  /** Additional properties of the body, besides code and message. */
  readonly facts: Refusal['facts'];

  constructor(code: RefusalCode, message: string, details: Details = {}) {
    super(message);
    this.code = code;
    this.status = details.status ?? statusOf[code];
    this.form = details.form ?? null;
    this.retryAfterSeconds = details.retryAfterSeconds ?? null;
    this.path = details.path ?? null;
    this.mistakes = details.mistakes ?? [message];
    this.facts = details.facts ?? {};
  }
}

export const answerTo = (
  { code, message, retryAfterSeconds, path, facts }: Refusal,
  answer: RefusalAnswer = {},
): ApiError => new ApiError(code, message, { ...answer, retryAfterSeconds, path, facts });
