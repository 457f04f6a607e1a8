import { Agent, fetch } from 'undici';
import type { Clock } from '../../platform/clock.ts';
import { failureText } from '../../webhooks/delivery/send/failure-text.ts';
import { guardedConnector } from '../../webhooks/delivery/send/guarded-connector.ts';
import { readRetryAfter } from '../../webhooks/delivery/send/retry-schedule.ts';
import type { ReportRequest } from '../provider.ts';

/** Time limit of a request, from DNS to the end of the response. */
const timeoutMs = 20_000;
/** Maximum size of a page: 1,600 bytes for each order of the largest page that is requested. */
const maxBytes = 16 * 1024 * 1024;
const maxConnections = 8;

/** Error of a poll. The message tells the publisher what happened, and contains no key. */
export class PollProblem extends Error {
  readonly retryAfterMs: number | null;

  constructor(message: string, retryAfterMs: number | null = null) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

export interface ReportReader {
  /** Requests a page of a report. @returns the parsed body @throws PollProblem */
  fetch(request: ReportRequest, stopping: AbortSignal): Promise<unknown>;
  close(): Promise<void>;
}

export interface ReportReaderOptions {
  /** Origin of the provider. */
  origin: string;
  /** True if the origin may have a private address, because the operator entered it. */
  allowPrivate: boolean;
  clock: Clock;
  timeoutMs?: number;
}

/**
 * Creates the reader of a provider's reports. As for webhooks, every address is checked before it is connected to, redirects are not
 * followed, and time and size are limited.
 */
export function createReportReader({
  origin,
  allowPrivate,
  clock,
  timeoutMs: limitMs = timeoutMs,
}: ReportReaderOptions): ReportReader {
  const agent = new Agent({
    connect: guardedConnector(allowPrivate, limitMs, undefined),
    connections: maxConnections,
    maxHeaderSize: 16 * 1_024,
  });
  return {
    async fetch({ path, headers }, stopping) {
      try {
        const response = await fetch(`${origin}${path}`, {
          headers: { ...headers, accept: 'application/json', 'user-agent': 'creator-attribution-connectors' },
          redirect: 'manual',
          signal: AbortSignal.any([AbortSignal.timeout(limitMs), stopping]),
          dispatcher: agent,
        });
        const text = await readBounded(response.body);
        if (response.status !== 200)
          throw new PollProblem(
            statusText(response.status),
            readRetryAfter(response.headers.get('retry-after') ?? undefined, clock.now()),
          );
        return parsed(text);
      } catch (error) {
        if (error instanceof PollProblem) throw error;
        const isLate = error instanceof Error && error.name === 'TimeoutError';
        throw new PollProblem(
          isLate
            ? `There was no complete response within ${limitMs / 1_000} seconds.`
            : `The report can’t be read: ${failureText(causeOf(error), limitMs)}`.slice(0, 400),
        );
      }
    },
    close: () => agent.destroy(),
  };
}

const causeOf = (error: unknown): unknown => (error instanceof Error && error.cause) || error;

function statusText(status: number): string {
  if (status === 401 || status === 403)
    return `The provider rejected the key (status ${status}). Enter the key again, and check that it may read the app’s sales.`;
  if (status === 429) return 'The provider limits requests (status 429). The next poll waits longer.';
  return `The provider responded with status ${status}.`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new PollProblem('The response is not JSON.');
  }
}

async function readBounded(body: AsyncIterable<Uint8Array> | null): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body ?? []) {
    size += part.length;
    if (size > maxBytes) throw new PollProblem(`The response is larger than ${maxBytes / 1024 / 1024} MiB.`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
