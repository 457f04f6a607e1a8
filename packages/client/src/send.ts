import type { Operation } from './operations.ts';
import {
  ApiError,
  ConnectionFailed,
  type RejectedResponse,
  RequestError,
  TimedOut,
} from './request-error.ts';
import { delayAfter } from './retry-rules.ts';

/** Request that is about to be sent. It doesn't contain the key. */
export interface SentRequest {
  /** operationId in the API document. */
  readonly operation: string;
  readonly method: string;
  readonly url: string;
  /** Number of the attempt, starting at 1. */
  readonly attempt: number;
  /** Id that the attempt was sent with; null if the service chooses one. */
  readonly requestId: string | null;
}

/** End of an attempt. */
export interface EndedRequest extends SentRequest {
  /** Status of the response; null if there was none. */
  readonly status: number | null;
  readonly durationMs: number;
  /** Names of properties and parameters that the service ignored (`X-Warning`); null if there are none. */
  readonly warning: string | null;
}

export interface ConnectionOptions {
  /** Address of the service, such as `https://creators.example`. */
  readonly baseUrl: string;
  /** API key. */
  readonly key: string;
  /** Time limit of one attempt in milliseconds. Default: 10,000. */
  readonly tryTimeoutMs?: number;
  /** Time limit of all attempts and the pauses between them, in milliseconds. Default: 60,000. */
  readonly timeoutMs?: number;
  /** True to have unknown properties and parameters rejected instead of ignored. Default: false. */
  readonly strict?: boolean;
  /** Called before each attempt. */
  readonly onRequest?: (request: SentRequest) => void;
  /** Called after each attempt, with or without a response. */
  readonly onResponse?: (response: EndedRequest) => void;
  /** Replacement for the global `fetch`, for tests and proxies. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** Options of a single call. */
export interface CallOptions {
  /** Cancels the call, which then throws the signal's reason. */
  readonly signal?: AbortSignal;
  /** Time limit of all attempts of this call, in milliseconds. */
  readonly timeoutMs?: number;
  /** W3C trace context to send, so that the service's spans join the caller's trace. */
  readonly traceparent?: string;
}

/** Options and functions that a client sends requests with. */
export interface Connection extends ConnectionOptions {
  /** Creates the error of a response. */
  toError(rejected: RejectedResponse): ApiError;
  /** Creates the id of an attempt. Browsers may not send one, so there the service chooses it. */
  newRequestId?(): string;
}

export interface Parts {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: object;
  readonly body?: unknown;
}

/** Response of a successful call. */
export interface Raw<T> {
  readonly data: T;
  readonly status: number;
  readonly headers: Headers;
  /** Id of the request, by which the service's operator finds it in the log. */
  readonly requestId: string | null;
}

/** Sends a request, and again where its operation allows it. @throws RequestError, or the reason of an aborted signal */
export async function send<T>(
  connection: Connection,
  operation: Operation,
  parts: Parts,
  { signal, timeoutMs = connection.timeoutMs ?? 60_000, traceparent }: CallOptions,
): Promise<Raw<T>> {
  const url = urlOf(connection.baseUrl, operation.path, parts);
  const deadlineMs = performance.now() + timeoutMs;
  const headers = {
    'x-shared-secret': connection.key,
    ...(connection.strict && { 'x-strict': 'true' }),
    ...(traceparent !== undefined && { traceparent }),
    ...(parts.body !== undefined && { 'content-type': 'application/json' }),
  };
  const body = parts.body === undefined ? null : JSON.stringify(parts.body);
  for (let attempt = 1; ; attempt += 1) {
    signal?.throwIfAborted();
    const requestId = connection.newRequestId?.() ?? null;
    const request = { operation: operation.id, method: operation.method, url, attempt, requestId };
    const limitMs = Math.min(connection.tryTimeoutMs ?? 10_000, deadlineMs - performance.now());
    const result = await tryOnce<T>(
      connection,
      request,
      {
        method: operation.method,
        headers: { ...headers, ...(requestId && { 'x-request-id': requestId }) },
        body,
      },
      { signal, limitMs, isText: operation.isText === true },
    );
    if (!(result instanceof RequestError)) return result;
    const delayMs = operation.isRepeatable ? delayAfter(failedTry(result), Math.random()) : null;
    if (delayMs === null || performance.now() + delayMs >= deadlineMs) throw result;
    await pause(delayMs, signal);
  }
}

const failedTry = (error: RequestError) => ({
  attempt: error.tries,
  status: error instanceof ApiError ? error.status : null,
  retryAfter: error instanceof ApiError ? error.headers.get('retry-after') : null,
});

/** Sends a request once. @returns the response, or the error if the request failed */
async function tryOnce<T>(
  connection: Connection,
  request: SentRequest,
  init: RequestInit,
  { signal, limitMs, isText }: { signal: AbortSignal | undefined; limitMs: number; isText: boolean },
): Promise<Raw<T> | RequestError> {
  connection.onRequest?.(request);
  // Each attempt has a time limit of its own. With one for all, the last attempt would get what the others left.
  const ending = new AbortController();
  const abort = () => ending.abort(signal?.reason);
  signal?.addEventListener('abort', abort);
  let isTimedOut = false;
  const timer = setTimeout(() => {
    isTimedOut = true;
    ending.abort();
  }, limitMs);
  const startedMs = performance.now();
  const failed = { operation: request.operation, tries: request.attempt, requestId: request.requestId };
  let response: Response | undefined;
  try {
    // A redirect is an error, because following it could turn a POST into a GET and send the key to another host.
    response = await (connection.fetch ?? fetch)(request.url, {
      ...init,
      redirect: 'manual',
      signal: ending.signal,
    });
    const body = bodyOf(response, await response.text());
    const { status, headers } = response;
    const requestId = headers.get('x-request-id') ?? request.requestId;
    if (!response.ok || (typeof body === 'string') !== isText)
      return connection.toError({ ...failed, requestId, status, headers, body });
    return { data: body as T, status, headers, requestId };
  } catch (error) {
    signal?.throwIfAborted();
    if (isTimedOut)
      return new TimedOut(`${request.operation}: no response within ${Math.round(limitMs)} ms.`, failed);
    return new ConnectionFailed(`${request.operation}: the connection failed.`, failed, error);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
    connection.onResponse?.({
      ...request,
      status: response?.status ?? null,
      durationMs: Math.round(performance.now() - startedMs),
      warning: response?.headers.get('x-warning') ?? null,
    });
  }
}

/** @returns the JSON of a response, or its text if it is not JSON */
function bodyOf(response: Response, text: string): unknown {
  if (!response.headers.get('content-type')?.includes('json')) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function urlOf(baseUrl: string, path: string, { path: values = {}, query = {} }: Parts): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => segmentOf(name, values[name]));
  const search = Object.entries(query as Record<string, unknown>)
    .flatMap(([name, value]) => [value].flat().map((each) => [name, each] as const))
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${name}=${encodeURIComponent(textOfValue(value))}`);
  return `${baseUrl.replace(/(\/v1)?\/*$/, '')}${filled}${search.length > 0 ? `?${search.join('&')}` : ''}`;
}

const textOfValue = (value: unknown): string => (value instanceof Date ? value.toISOString() : String(value));

/** @throws TypeError if the value can't be part of a path: URLs resolve `.` and `..`, even if they are encoded */
function segmentOf(name: string, value: string | undefined): string {
  if (typeof value !== 'string' || ['', '.', '..'].includes(value))
    throw new TypeError(`${name} must be text other than "", "." and "..".`);
  return encodeURIComponent(value);
}

/** Waits, unless the signal is aborted. */
function pause(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      if (signal?.aborted) reject(signal.reason);
      else resolve();
    };
    const timer = setTimeout(end, delayMs);
    signal?.addEventListener('abort', end);
  });
}
