/** Facts that every error of a request has. */
export interface FailedRequest {
  /** operationId in the API document, such as `createTransactions`. */
  readonly operation: string;
  /** Number of times that the request was sent. */
  readonly tries: number;
  /** Id of the last attempt, by which the service's operator finds it in the log; null if it is not known. */
  readonly requestId: string | null;
}

/** Error of a request. The subclasses are `ApiError`, `ConnectionFailed` and `TimedOut`. */
export class RequestError extends Error implements FailedRequest {
  override readonly name: string = 'RequestError';
  readonly operation: string;
  readonly tries: number;
  readonly requestId: string | null;

  constructor(message: string, { operation, tries, requestId }: FailedRequest, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.operation = operation;
    this.tries = tries;
    this.requestId = requestId;
  }
}

/**
 * The connection failed before the whole response arrived, in every attempt. The service may have received the request;
 * `cause` is the error of fetch.
 */
export class ConnectionFailed extends RequestError {
  override readonly name = 'ConnectionFailed';
}

/** No response arrived within the time limit of an attempt. The service may have received the request. */
export class TimedOut extends RequestError {
  override readonly name = 'TimedOut';
}

/** Response other than a success. */
export interface RejectedResponse extends FailedRequest {
  readonly status: number;
  readonly headers: Headers;
  /** Body of the response: parsed if it is JSON, otherwise text. */
  readonly body: unknown;
}

/**
 * The service rejected the request. Each documented code has a subclass of the same name, such as `CodeNotInGroup`. For a
 * code that this version doesn't know, the error is an `ApiError` itself, so handle it by its `status`.
 */
export class ApiError extends RequestError implements RejectedResponse {
  /** The `code`, or `ApiError` without one. */
  override readonly name: string;
  readonly status: number;
  /** Code in the body, such as `InvalidGroup`; null if the body has none. */
  readonly code: string | null;
  readonly headers: Headers;
  readonly body: unknown;

  constructor(rejected: RejectedResponse, code: string | null = codeOf(rejected.body)) {
    super(
      `${rejected.operation}: ${rejected.status} ${[code, textOf(rejected.body)].filter(Boolean).join(': ')}`,
      rejected,
    );
    this.name = code ?? 'ApiError';
    this.status = rejected.status;
    this.code = code;
    this.headers = rejected.headers;
    this.body = rejected.body;
  }
}

/** Returns the `code` of a body; null if it has none. */
export function codeOf(body: unknown): string | null {
  const { code } = Object(body) as { code?: unknown };
  return typeof code === 'string' ? code : null;
}

/** Returns what a body says to a person. Bodies are `{message}`, `{errors: [{message}]}` or text. */
export function textOf(body: unknown): string {
  const { message, errors } = Object(body) as { message?: unknown; errors?: unknown };
  if (Array.isArray(errors)) return errors.map(textOf).join('; ');
  return String(message ?? (typeof body === 'string' ? body : '')).slice(0, 500);
}
