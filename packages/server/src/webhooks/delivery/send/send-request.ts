import { Agent, type Dispatcher } from 'undici';
import { boundedCache } from '../../../platform/bounded-cache.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type Deadline, Deadlines } from './deadlines.ts';
import { failureText, givenUpAfter, noAnswerWithin } from './failure-text.ts';
import { guardedConnector } from './guarded-connector.ts';
import type { ResolverOptions } from './resolve-host.ts';
import { readRetryAfter } from './retry-schedule.ts';

export interface Attempt {
  startedAt: Date;
  durationMs: number;
  /** Status of the response; null if there was none, in which case `error` contains the reason. */
  statusCode: number | null;
  error: string | null;
  /** Start of the response body, at most 4 KB. */
  answer: Buffer;
  retryAfterMs: number | null;
}

export interface SenderOptions {
  clock: Clock;
  allowPrivateTargets: boolean;
  /** Timeout for the part of an attempt up to the response headers: DNS, connecting, sending and waiting. */
  timeoutMs?: number;
  dnsServers?: ResolverOptions['servers'];
}

export interface WebhookRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

export interface StartedRequest {
  /** Cancels the request, asynchronously. */
  giveUp(): void;
}

export interface Sender {
  /**
   * Starts a request. Never throws, but reports every error as the attempt's result.
   * @param onEnded called exactly once, possibly before this function returns
   */
  start(request: WebhookRequest, onEnded: (attempt: Attempt) => void): StartedRequest;
  /** @param stopped cancels the request */
  send(url: string, headers: Record<string, string>, body: string, stopped?: AbortSignal): Promise<Attempt>;
  close(): Promise<void>;
}

const defaultTimeoutMs = 15_000; // D39
const keptAnswerBytes = 4_096;
/** Timeout for the response body after the status arrives. The body is only stored for information. */
const answerTimeoutMs = 1_000;
/** Keep-alive time. It is shorter than most servers' so that a connection isn't used just as the server closes it. */
const keepAliveMs = 4_000;
const maxTargets = 10_000;

/**
 * Creates the sender for webhooks, which sends only to public addresses unless `allowPrivateTargets` is set. To support
 * thousands of requests a second, each request is a single object that undici calls back, without its own promise,
 * signal or timer (ADR 0014).
 */
export function createSender(options: SenderOptions): Sender {
  const { clock, allowPrivateTargets, timeoutMs = defaultTimeoutMs, dnsServers } = options;
  const agent = new Agent({
    connect: guardedConnector(allowPrivateTargets, timeoutMs, dnsServers),
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
    headersTimeout: 0, // `Deadlines` limits the whole attempt instead
    bodyTimeout: 0,
    maxHeaderSize: 16 * 1_024,
    allowH2: false,
  });
  const sending: Sending = {
    clock,
    timeoutMs,
    answers: new Deadlines(answerTimeoutMs, (late) => late.endLate()),
    attempts: new Deadlines(timeoutMs, (late) => late.endLate()),
  };
  const targets = boundedCache<Target>(maxTargets);
  const start: Sender['start'] = ({ url, headers, body }, onEnded) => {
    const exchange = new Exchange(sending, onEnded);
    try {
      let target = targets.get(url);
      if (target === undefined) {
        target = readTarget(url);
        targets.set(url, target);
      }
      const { origin, path } = target;
      agent.dispatch({ origin, path, method: 'POST', headers: headerList(headers), body }, exchange);
    } catch (error) {
      exchange.onResponseError(null, error);
    }
    return exchange;
  };
  return {
    start,
    send: (url, headers, body, stopped) =>
      new Promise((resolve) => {
        const giveUp = (): void => started.giveUp();
        const started = start({ url, headers, body }, (attempt) => {
          stopped?.removeEventListener('abort', giveUp);
          resolve(attempt);
        });
        stopped?.addEventListener('abort', giveUp, { once: true });
        if (stopped?.aborted) giveUp();
      }),
    async close() {
      await agent.destroy();
      sending.attempts.close();
      sending.answers.close();
    },
  };
}

export const ownHeaders = {
  'content-type': 'application/json',
  'user-agent': 'creator-attribution-webhooks',
};

const ownHeaderList = Object.entries(ownHeaders).flat();

/** Returns names and values in turn, which undici reads faster than an object. */
function headerList(headers: WebhookRequest['headers']): string[] {
  const list = [...ownHeaderList];
  for (const name in headers) list.push(name, headers[name] ?? '');
  return list;
}

interface Target {
  origin: string;
  path: string;
}

function readTarget(text: string): Target {
  const { origin, pathname, search } = new URL(text);
  return { origin, path: `${pathname}${search}` };
}

interface Sending {
  clock: Clock;
  timeoutMs: number;
  attempts: Deadlines<Exchange>;
  answers: Deadlines<Exchange>;
}

const noBytes = Buffer.alloc(0);

/** One request and its response, as an undici dispatch handler. */
class Exchange implements StartedRequest {
  readonly #sending: Sending;
  readonly #onEnded: (attempt: Attempt) => void;
  readonly #startedAt: Date;
  readonly #startedMs = performance.now();
  /** Null until connected. */
  #controller: Dispatcher.DispatchController | null = null;
  #statusCode: number | null = null;
  #retryAfterMs: number | null = null;
  #chunks: Buffer[] | null = null;
  #bytes = 0;
  #hasEnded = false;
  readonly #deadline: Deadline<Exchange>;
  /** Null until the status arrives. */
  #answerDeadline: Deadline<Exchange> | null = null;

  constructor(sending: Sending, onEnded: (attempt: Attempt) => void) {
    this.#sending = sending;
    this.#onEnded = onEnded;
    this.#startedAt = sending.clock.now();
    this.#deadline = sending.attempts.begin(this, this.#startedMs);
  }

  /** Cancels the request in a microtask, because the caller may be in the middle of an update. */
  giveUp(): void {
    queueMicrotask(() => this.#cancel(givenUpAfter(performance.now() - this.#startedMs)));
  }

  endLate(): void {
    this.#cancel(noAnswerWithin(this.#sending.timeoutMs));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#hasEnded) controller.abort(new Error('it has ended')); // canceled while waiting for a connection
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    if (statusCode < 200) return; // informational; the final response follows
    this.#statusCode = statusCode;
    const retryAfter = headers['retry-after'];
    if (retryAfter !== undefined)
      this.#retryAfterMs = readRetryAfter(String(retryAfter), this.#sending.clock.now());
    this.#answerDeadline ??= this.#sending.answers.begin(this, performance.now());
  }

  /** Stores the start of the body. At the limit, stops reading the response. */
  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks ??= [];
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes >= keptAnswerBytes) this.#cancel(null);
  }

  onResponseEnd(): void {
    this.#end(null);
  }

  onResponseError(_controller: unknown, error: unknown): void {
    this.#end(failureText(error, this.#sending.timeoutMs));
  }

  #cancel(error: string | null): void {
    if (this.#hasEnded) return;
    this.#end(error);
    this.#controller?.abort(new Error('it has ended'));
  }

  /**
   * Reports the result once.
   * @param error reason there was no response; ignored once there is a status
   */
  #end(error: string | null): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#sending.attempts.end(this.#deadline);
    if (this.#answerDeadline !== null) this.#sending.answers.end(this.#answerDeadline);
    this.#onEnded({
      startedAt: this.#startedAt,
      durationMs: Math.round(performance.now() - this.#startedMs),
      statusCode: this.#statusCode,
      error: this.#statusCode === null ? error : null,
      // Copies the body, because undici's chunks are views that would keep everything it has read in memory.
      answer:
        this.#chunks === null ? noBytes : Buffer.concat(this.#chunks, Math.min(this.#bytes, keptAnswerBytes)),
      retryAfterMs: this.#retryAfterMs,
    });
  }
}
