import { Agent, type Dispatcher } from 'undici';
import { boundedCache } from '../../../platform/bounded-cache.ts';
import type { Clock } from '../../../platform/clock.ts';
import { Deadlines } from './deadlines.ts';
import { guardedConnector } from './guarded-connector.ts';
import type { ResolverOptions } from './resolve-host.ts';
import { readRetryAfter } from './retry-schedule.ts';
import { givenUpAfter, inWords, noAnswerWithin } from './words-of-failure.ts';

/** How one attempt ended. */
export interface Attempt {
  startedAt: Date;
  durationMs: number;
  /** Null when there was no answer; then `error` says why. */
  statusCode: number | null;
  error: string | null;
  /** How the answer's body begins, 4 KB at most. */
  answer: Buffer;
  retryAfterMs: number | null;
}

export interface SenderOptions {
  clock: Clock;
  allowPrivateTargets: boolean;
  /** For the whole of an attempt: finding the address, connecting, sending, and the answer's first line. */
  timeoutMs?: number;
  dnsServers?: ResolverOptions['servers'];
}

/** What is sent: a POST of JSON. */
export interface WebhookRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** A request under way. */
export interface StartedRequest {
  /** Ends it before its time, soon. */
  giveUp(): void;
}

export interface Sender {
  /** Never throws: whatever happens is how the attempt ended. @param onEnded is called once, perhaps before this returns */
  start(request: WebhookRequest, onEnded: (attempt: Attempt) => void): StartedRequest;
  /** The same for who waits. @param stopped ends it before its time */
  send(url: string, headers: Record<string, string>, body: string, stopped?: AbortSignal): Promise<Attempt>;
  close(): Promise<void>;
}

const defaultTimeoutMs = 15_000; // D39
const keptAnswerBytes = 4_096;
/** Once the status is known the rest is only for the record. */
const answerTimeoutMs = 1_000;
/** Shorter than any usual server's, so that a connection is not used just as its server closes it. */
const keepAliveMs = 4_000;
const maxTargets = 10_000;

/**
 * Sends webhooks, to public addresses alone unless told otherwise. Thousands a second leave here: a request costs one object
 * that undici calls back (ADR 0014), no promise, signal or timer of its own.
 */
export function createSender(options: SenderOptions): Sender {
  const { clock, allowPrivateTargets, timeoutMs = defaultTimeoutMs, dnsServers } = options;
  const agent = new Agent({
    connect: guardedConnector(allowPrivateTargets, timeoutMs, dnsServers),
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
    headersTimeout: 0, // the deadlines end an attempt, and know of all of it
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
      agent.dispatch({ ...target, method: 'POST', headers: { ...ownHeaders, ...headers }, body }, exchange);
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

/** What every request carries. */
export const ownHeaders = {
  'content-type': 'application/json',
  'user-agent': 'creator-attribution-webhooks',
};

interface Target {
  origin: string;
  path: string;
}

function readTarget(text: string): Target {
  const { origin, pathname, search } = new URL(text);
  return { origin, path: `${pathname}${search}` };
}

/** What the requests of one sender share. */
interface Sending {
  clock: Clock;
  timeoutMs: number;
  attempts: Deadlines<Exchange>;
  answers: Deadlines<Exchange>;
}

const noBytes = Buffer.alloc(0);

/** One request and its answer, as undici tells of them. */
class Exchange implements StartedRequest {
  readonly #sending: Sending;
  readonly #onEnded: (attempt: Attempt) => void;
  readonly #startedAt: Date;
  readonly #startedMs = performance.now();
  /** Null until there is a connection. */
  #controller: Dispatcher.DispatchController | null = null;
  #statusCode: number | null = null;
  #retryAfterMs: number | null = null;
  #chunks: Buffer[] | null = null;
  #bytes = 0;
  #hasEnded = false;

  constructor(sending: Sending, onEnded: (attempt: Attempt) => void) {
    this.#sending = sending;
    this.#onEnded = onEnded;
    this.#startedAt = sending.clock.now();
    sending.attempts.begin(this, this.#startedMs);
  }

  /** Not at once: who gives up is in the middle of something. */
  giveUp(): void {
    queueMicrotask(() => this.#cut(givenUpAfter(performance.now() - this.#startedMs)));
  }

  endLate(): void {
    this.#cut(noAnswerWithin(this.#sending.timeoutMs));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#hasEnded) controller.abort(new Error('it has ended')); // while it waited for a connection
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    if (statusCode < 200) return; // more is to come
    this.#statusCode = statusCode;
    const retryAfter = headers['retry-after'];
    if (retryAfter !== undefined)
      this.#retryAfterMs = readRetryAfter(String(retryAfter), this.#sending.clock.now());
    this.#sending.answers.begin(this, performance.now());
  }

  /** The first bytes of an answer, soon: one that drips, or has no end, is cut off. */
  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks ??= [];
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes >= keptAnswerBytes) this.#cut(null);
  }

  onResponseEnd(): void {
    this.#end(null);
  }

  onResponseError(_controller: unknown, error: unknown): void {
    this.#end(inWords(error, this.#sending.timeoutMs));
  }

  #cut(error: string | null): void {
    if (this.#hasEnded) return;
    this.#end(error);
    this.#controller?.abort(new Error('it has ended'));
  }

  /** @param error why there is no answer; once there is a status, that is what counts */
  #end(error: string | null): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#sending.attempts.end(this);
    this.#sending.answers.end(this);
    this.#onEnded({
      startedAt: this.#startedAt,
      durationMs: Math.round(performance.now() - this.#startedMs),
      statusCode: this.#statusCode,
      error: this.#statusCode === null ? error : null,
      // A copy: what undici gives is a part of what was read, all of which it would keep in memory.
      answer:
        this.#chunks === null ? noBytes : Buffer.concat(this.#chunks, Math.min(this.#bytes, keptAnswerBytes)),
      retryAfterMs: this.#retryAfterMs,
    });
  }
}
