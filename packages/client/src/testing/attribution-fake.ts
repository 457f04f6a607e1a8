import type { Transaction } from '../api.generated.ts';
import type { Operation } from '../operations.ts';
import * as operations from '../operations.ts';
import type { ConnectionOptions } from '../send.ts';
import { type Answer, problem, Rejection } from './answers.ts';
import { FakeGroup, type FakeGroupOptions } from './fake-group.ts';
import { FakeLinks } from './fake-links.ts';
import { shown } from './fake-listing.ts';
import { FakePlayerCodes } from './fake-player-codes.ts';
import { FakeSchedules } from './fake-schedules.ts';
import { fakeTierOperations } from './fake-tiers.ts';
import { FakeTransactions } from './fake-transactions.ts';

/**
 * Fault of one request:
 * - `refused`: the connection fails before the service receives the request
 * - `lost`: the service handles the request, but the connection fails before the response arrives
 * - `slow`: the service handles the request, but no response arrives in time
 * - a response that is sent instead, and the service doesn't handle the request
 */
export type Fault =
  | 'refused'
  | 'lost'
  | 'slow'
  | { readonly status: number; readonly retryAfter?: string; readonly body?: unknown };

/**
 * Service in memory, for the tests of code that uses the client:
 *
 * ```ts
 * const fake = new AttributionFake({ members: [{ code: 'ALICE' }] });
 * const attribution = new Attribution(fake.options);
 * fake.next('lost', { status: 503 });
 * ```
 *
 * It answers as the service does for purchases, refunds, members, tiers, links, players' codes, schedules, `groups()` and `ping()`, with
 * one group. For the other operations, set a response with `answer()`.
 */
export class AttributionFake {
  /** Options for `new Attribution(…)`. */
  readonly options: ConnectionOptions = {
    baseUrl: 'https://attribution.test',
    key: 'svc_sk_fake',
    fetch: (url, init) => this.#fetch(url, init),
  };
  readonly #group: FakeGroup;
  readonly #links: FakeLinks;
  readonly #transactions: FakeTransactions;
  readonly #handlers: FakeHandlers;
  readonly #answers = new Map<string, Answer>();
  readonly #faults: Fault[] = [];

  constructor(options: FakeGroupOptions = {}) {
    const group = new FakeGroup(options);
    const playerCodes = new FakePlayerCodes(group);
    this.#group = group;
    this.#transactions = new FakeTransactions(group, playerCodes);
    this.#links = new FakeLinks(group, (from, to) => {
      this.#transactions.move(from, to);
      playerCodes.move(from, to);
    });
    this.#handlers = {
      ping: () => ({ status: 200, body: { status: 'ok' } }),
      ...group.operations,
      ...playerCodes.operations,
      ...this.#transactions.operations,
      ...new FakeSchedules(group).operations,
      ...fakeTierOperations(group),
      ...this.#links.operations,
    };
  }

  /** Rows that were recorded, oldest first. */
  get rows(): Transaction[] {
    return this.#transactions.rows.map((row) => structuredClone(shown(row, true) as Transaction));
  }

  /** Sets faults for the next requests, one for each; retries are requests too. */
  next(...faults: readonly Fault[]): void {
    this.#faults.push(...faults);
  }

  /**
   * Issues an auth code for a creator, as the creator's own account does.
   * @throws TypeError if no member has the account id
   */
  authCode(memberId: string): string {
    const member = this.#group.member(({ id }) => id === memberId);
    if (member === undefined) throw new TypeError(`No member has the id ${memberId}.`);
    return this.#links.issue(member).authCode;
  }

  /**
   * Sets the response of an operation for all its requests.
   * @param operation operationId in the API document, such as `listBounties`
   */
  answer(operation: string, body: unknown, status = 200): void {
    this.#answers.set(operation, { status, body });
  }

  async #fetch(url: string, init: RequestInit): Promise<Response> {
    init.signal?.throwIfAborted();
    const fault = this.#faults.shift();
    if (fault === 'refused') throw new TypeError('fetch failed');
    if (typeof fault === 'object') return responseOf(answerOf(fault), init);
    const answer = this.#handle(new URL(url), init);
    if (fault === 'lost') throw new TypeError('fetch failed');
    if (fault === 'slow') await aborted(init.signal);
    return responseOf(answer, init);
  }

  #handle(url: URL, init: RequestInit): Answer {
    try {
      if (new Headers(init.headers).get('x-shared-secret') !== this.options.key)
        throw problem(401, 'Unauthorized');
      const { operation, path } = operationOf(init.method ?? 'GET', url.pathname);
      const answer = this.#answers.get(operation.id);
      if (answer !== undefined) return answer;
      const handle = this.#handlers[operation.id];
      if (handle === undefined)
        throw new Error(
          `AttributionFake has no ${operation.id}. Set its response: fake.answer('${operation.id}', …).`,
        );
      const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
      return handle({ path, query: url.searchParams, body });
    } catch (error) {
      if (error instanceof Rejection) return error.answer;
      throw error;
    }
  }
}

type FakeHandlers = FakeGroup['operations'];

/** Finds the operation of a request. Paths without parameters win over those with. */
function operationOf(
  method: string,
  pathname: string,
): { operation: Operation; path: Readonly<Record<string, string>> } {
  const candidates = Object.values<Operation>(operations)
    .filter((each) => each.method === method)
    .toSorted((a, b) => a.path.split('{').length - b.path.split('{').length);
  for (const operation of candidates) {
    const pattern = operation.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)');
    const match = new RegExp(`^${pattern}$`).exec(pathname);
    if (match === null) continue;
    const values = Object.entries(match.groups ?? {});
    return {
      operation,
      path: Object.fromEntries(values.map(([name, value]) => [name, decodeURIComponent(value)])),
    };
  }
  throw problem(404, 'NotFound');
}

const codes: Readonly<Record<number, string>> = {
  429: 'RateLimited',
  500: 'UnknownError',
  503: 'Unavailable',
};

/** Returns the response of a fault, with the body that the service sends with this status. */
function answerOf({ status, retryAfter, body }: Exclude<Fault, string>): Answer {
  const code = codes[status];
  return {
    status,
    body: body ?? (code === undefined ? '' : { code, message: 'A fault of the test.' }),
    headers: { ...(retryAfter !== undefined && { 'retry-after': retryAfter }) },
  };
}

function responseOf({ status, body, headers = {} }: Answer, init: RequestInit): Response {
  const isText = typeof body === 'string';
  const requestId = new Headers(init.headers).get('x-request-id') ?? crypto.randomUUID();
  return new Response(isText ? body : JSON.stringify(body), {
    status,
    headers: {
      'content-type': isText ? 'text/plain' : 'application/json',
      'x-request-id': requestId,
      ...headers,
    },
  });
}

/** Waits until the request is aborted. */
function aborted(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason));
  });
}
