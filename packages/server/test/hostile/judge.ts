import type { DocumentedApi, Operation } from '../documented-answers.ts';
import { type Draft, pathOf } from './draft.ts';
import type { ReadAnswer } from './kept-socket.ts';

/** Statuses for requests that don't match an operation or that the HTTP parser rejects. */
const undocumented: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 408, 413, 414, 415, 431]);
/** Statuses for requests rejected before their operation is looked up (docs/errors.md). */
const beforeRouting: ReadonlySet<number> = new Set([408, 414, 431]);

/** Returns the problem with a response; null if there is none. */
export function problemOf(
  apis: readonly DocumentedApi[],
  draft: Draft,
  answer: ReadAnswer | null,
  body: unknown,
): string | null {
  const what = `${draft.method} for ${draft.operation.operationId}`;
  if (answer === null) return `${what} got no response`;
  const { status, headers } = answer;
  const text = answer.body.toString('utf8');
  if (status >= 500) return `${what} answered ${status}: ${text.slice(0, 500)}`;
  if (headers.get('x-request-id') === null) return `${what} answered ${status} without a request id`;
  const isHead = draft.method === 'HEAD';
  const found = find(apis, isHead ? 'GET' : draft.method, pathOf(draft));
  const { api, operation } = found ?? {};
  if (api === undefined || operation === undefined || beforeRouting.has(status))
    return problemOutside(what, draft, answer, body);
  const problem = isHead
    ? operation.said.responses[status] === undefined && status !== 405 // where a GET has side effects
      ? `${what} answered ${status}, which is not documented`
      : null
    : api.problemOf(operation, { status, headers, text, body });
  const mayBeBroken = draft.mayBreakHttp && headers.get('connection') === 'close';
  return problem !== null && mayBeBroken ? problemOutside(what, draft, answer, body) : problem;
}

function problemOutside(
  what: string,
  { method }: Draft,
  { status, headers }: ReadAnswer,
  body: unknown,
): string | null {
  if (method === 'OPTIONS' && status === 204) return null;
  if (status === 200 && headers.get('content-type')?.startsWith('text/html')) return null; // a dashboard page
  if (!undocumented.has(status)) return `${what}, which is not an operation, answered ${status}`;
  if (method === 'HEAD') return null;
  const { code, message } = (body ?? {}) as { code?: unknown; message?: unknown };
  const isProblem = typeof code === 'string' && typeof message === 'string';
  return isProblem ? null : `${what}, which is not an operation, answered ${status} in a different form`;
}

function find(
  apis: readonly DocumentedApi[],
  method: string,
  path: string,
): { api: DocumentedApi; operation: Operation } | null {
  const decoded = decodedPath(path);
  if (decoded === null) return null;
  for (const api of apis) {
    const operation = api.find(method, decoded);
    if (operation !== null) return { api, operation };
  }
  return null;
}

/** Decodes a path as the router does; null if the router can't decode it. */
function decodedPath(path: string): string | null {
  const [bare = ''] = path.split(/[?#]/);
  if (/[^\x21-\x7e]/.test(bare)) return null;
  try {
    return decodeURI(bare);
  } catch {
    return null;
  }
}
