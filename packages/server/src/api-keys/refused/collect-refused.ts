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
     * Reads the creator's code from a rejected request. Absent for operations whose requests don't contain a code.
     * @param path path of the rejected value in the body
     */
    sentCode?: (request: FastifyRequest, path: InputPath | null) => unknown;
  }
}

/** Sampling limits for each publisher and error code in this process: a burst, then a number per minute. */
const burstPerError = 20;
const perMinutePerError = 2;
/** Lower limits for each creator's code, so that one code can't crowd out other codes with the same error. */
const burstPerSentCode = 10;
const perMinutePerSentCode = 1;
/** Limits for each publisher across all error codes. Unauthenticated clients share one limit. */
const burstPerTenant = 60;
const perMinutePerTenant = 20;
/** Maximum number of requests waiting to be saved. Any others are dropped. */
const maxWaiting = 500;
const flushEveryMs = 1_000;
const unauthenticated = ' ';
/** Maximum length of a code according to the contract. Longer text is truncated. */
const maxCodeLength = 255;

/**
 * Stores a sample of rejected requests for their publisher. Of the body, only the creator's code is stored. Keys are
 * never stored.
 */
export interface RefusedRequests {
  flush(): Promise<void>;
}

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
 * Collects the requests that the application rejects. A successful request costs nothing. A rejected request costs
 * three limit checks and, within the limits, one row in a batch that is saved once a second.
 */
export function collectRefused(app: App, { db, clock, metrics, onError }: Deps): RefusedRequests {
  const byError = new TokenBuckets(perMinutePerError / 60, burstPerError);
  const bySentCode = new TokenBuckets(perMinutePerSentCode / 60, burstPerSentCode);
  const byTenant = new TokenBuckets(perMinutePerTenant / 60, burstPerTenant);
  let waiting: NotedRefusal[] = [];
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();

  const flush = (): Promise<void> => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const batch = waiting;
    waiting = [];
    if (batch.length > 0) writing = writing.then(() => saveRefused(db, batch)).catch(onError);
    return writing;
  };

  app.onRefused = (request, error) => {
    const sample = readRefusal(request, error, clock.now());
    if (sample === null) return;
    const tenant = sample.principal?.publisherId ?? unauthenticated;
    const nowMs = sample.at.getTime();
    if (
      waiting.length >= maxWaiting ||
      (sample.sentCode !== null && !bySentCode.take(`${tenant} ${error.code} ${sample.sentCode}`, nowMs)) ||
      !byError.take(`${tenant} ${error.code}`, nowMs) ||
      !byTenant.take(tenant, nowMs)
    ) {
      metrics.unkeptRefusals.inc();
      return;
    }
    waiting.push(sample);
    timer ??= setTimeout(() => void flush(), flushEveryMs).unref();
  };
  return { flush };
}

/**
 * @returns null outside the publisher's API, or if the request has neither a valid key nor text that looks
 * like a key
 */
function readRefusal(request: FastifyRequest, error: ErrorAnswer, at: Date): NotedRefusal | null {
  const { config, url: route } = request.routeOptions;
  if (config?.key === undefined || route === undefined) return null;
  const sent = request.headers['x-shared-secret'];
  const { keyPrincipal: principal } = request;
  // The text may be a revoked or expired key, or a public key that isn't allowed here (save-refused.ts).
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

/** @returns the text in a form that can be stored and displayed on one line; null if the value isn't text */
function showable(sent: unknown): string | null {
  if (typeof sent !== 'string' || sent === '') return null;
  return bounded(sent, maxCodeLength).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\ufffd');
}
