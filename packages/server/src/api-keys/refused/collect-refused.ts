import type { FastifyRequest } from 'fastify';
import { bounded } from '../../audit/bounded.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app-type.ts';
import type { InputPath } from '../../platform/refusal.ts';
import type { Metrics } from '../../platform/telemetry/metrics.ts';
import { TokenBuckets } from '../../platform/work/token-bucket.ts';
import { hashKey, kindOfKey } from '../key-format.ts';
import { type NotedRefusal, saveRefused } from './save-refused.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Reads the creator's code that a refused request was sent with; absent where an operation takes none.
     * @param path place in the body of what was refused
     */
    sentCode?: (request: FastifyRequest, path: InputPath | null) => unknown;
  }
}

/** Of a publisher and an error code, in this process: so many at once, and then so many a minute. */
const burst = 20;
const perMinute = 2;
/** Of those, with one creator's code: the others with the same error are kept beside it. */
const burstOfSent = 10;
const perMinuteOfSent = 1;
/** Of a publisher, whatever the codes; and of all whose key opened nothing. */
const burstOfAll = 60;
const perMinuteOfAll = 20;
/** Waiting to be written; what comes on top is not kept. */
const maxWaiting = 500;
const flushEveryMs = 1_000;
const strangers = ' ';
/** What the contract allows a code; longer ones are cut. */
const longestCode = 255;

/** Keeps a sample of the requests that were refused, for their publisher to look at: of a body the creator's code, never a key. */
export interface RefusedRequests {
  /** Writes down what waits. */
  flush(): Promise<void>;
}

/** What of an answer is kept. */
interface ErrorAnswer {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly path: InputPath | null;
}

interface Deps {
  db: Db;
  clock: Clock;
  metrics: Metrics;
  onError(error: unknown): void;
}

/**
 * Notes what the application refuses. A request that is answered as asked for costs nothing; one that is refused costs a
 * look at three counters, and within their limits a row of a set that is written once a second.
 */
export function collectRefused(app: App, { db, clock, metrics, onError }: Deps): RefusedRequests {
  const ofCode = new TokenBuckets(perMinute / 60, burst);
  const ofSent = new TokenBuckets(perMinuteOfSent / 60, burstOfSent);
  const ofAll = new TokenBuckets(perMinuteOfAll / 60, burstOfAll);
  let waiting: NotedRefusal[] = [];
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();

  const flush = (): Promise<void> => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const noted = waiting;
    waiting = [];
    if (noted.length > 0) writing = writing.then(() => saveRefused(db, noted)).catch(onError);
    return writing;
  };

  app.onRefused = (request, error) => {
    const noted = readRefusal(request, error, clock.now());
    if (noted === null) return;
    const holder = noted.principal?.publisherId ?? strangers;
    const nowMs = noted.at.getTime();
    if (
      waiting.length >= maxWaiting ||
      (noted.sentCode !== null && !ofSent.take(`${holder} ${error.code} ${noted.sentCode}`, nowMs)) ||
      !ofCode.take(`${holder} ${error.code}`, nowMs) ||
      !ofAll.take(holder, nowMs)
    ) {
      metrics.unkeptRefusals.inc();
      return;
    }
    waiting.push(noted);
    timer ??= setTimeout(() => void flush(), flushEveryMs).unref();
  };
  return { flush };
}

/** @returns null for what is no operation of the publisher's API, and where nothing that could be a key was sent */
function readRefusal(request: FastifyRequest, error: ErrorAnswer, at: Date): NotedRefusal | null {
  const { config, url: route } = request.routeOptions;
  if (config?.key === undefined || route === undefined) return null;
  const sent = request.headers['x-shared-secret'];
  const { keyPrincipal: principal } = request;
  // Its hash is compared with those of keys that have ended, or may not do this.
  if (principal === null && (typeof sent !== 'string' || kindOfKey(sent) === null)) return null;
  return {
    principal,
    keyHash: principal === null ? hashKey(String(sent)) : null,
    at,
    method: request.method,
    route: route.replaceAll(/:(\w+)/g, '{$1}'),
    status: error.status,
    code: error.code,
    message: error.message,
    requestId: request.id,
    address: request.ip,
    sentCode: showable(config.sentCode?.(request, error.path)),
    groupId: request.resolvedGroup?.groupId ?? principal?.groupId ?? null,
  };
}

/** @returns the text as it can be stored and shown on one line; null for what is none */
function showable(sent: unknown): string | null {
  if (typeof sent !== 'string' || sent === '') return null;
  return bounded(sent, longestCode).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\ufffd');
}
