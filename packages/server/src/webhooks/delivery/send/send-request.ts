import type { LookupFunction } from 'node:net';
import { Agent, buildConnector, request } from 'undici';
import type { Clock } from '../../../platform/clock.ts';
import { literalAddress, requirePublicAddress, TargetRefused } from '../../endpoints/address-guard.ts';
import { createResolver, type ResolverOptions } from './resolve-host.ts';
import { readRetryAfter } from './retry-schedule.ts';

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

export interface Sender {
  /** Never throws: whatever happens is how the attempt ended. @param stopped ends it before its time */
  send(url: string, headers: Record<string, string>, body: string, stopped?: AbortSignal): Promise<Attempt>;
  close(): Promise<void>;
}

const defaultTimeoutMs = 15_000; // D39
const keptAnswerBytes = 4_096;
/** Once the status is known the rest is only for the record. */
const answerTimeoutMs = 1_000;
/** Shorter than any usual server's, so that a connection is not used just as its server closes it. */
const keepAliveMs = 4_000;

/** Sends webhooks, to public addresses alone unless told otherwise. */
export function createSender(options: SenderOptions): Sender {
  const { clock, allowPrivateTargets, timeoutMs = defaultTimeoutMs, dnsServers } = options;
  const agent = new Agent({
    connect: guardedConnector(allowPrivateTargets, timeoutMs, dnsServers),
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
    headersTimeout: 0, // the signal ends an attempt, and knows of all of it
    bodyTimeout: answerTimeoutMs,
    maxHeaderSize: 16 * 1_024,
    allowH2: false,
  });
  return {
    async send(url, headers, body, stopped) {
      const startedAt = clock.now();
      const startedMs = performance.now();
      const ended = (result: Partial<Attempt>): Attempt => ({
        startedAt,
        durationMs: Math.round(performance.now() - startedMs),
        statusCode: null,
        error: null,
        answer: Buffer.alloc(0),
        retryAfterMs: null,
        ...result,
      });
      const controller = new AbortController();
      const abort = (): void => controller.abort();
      const timer = setTimeout(abort, timeoutMs);
      stopped?.addEventListener('abort', abort, { once: true });
      if (stopped?.aborted) abort();
      try {
        const response = await orAborted(controller.signal, () =>
          request(url, {
            dispatcher: agent,
            method: 'POST',
            headers: {
              'content-type': 'application/json',
              'user-agent': 'creator-attribution-webhooks',
              ...headers,
            },
            body,
            signal: controller.signal,
          }),
        );
        const answer = await readBeginning(response.body);
        return ended({
          statusCode: response.statusCode,
          answer,
          retryAfterMs: readRetryAfter(String(response.headers['retry-after'] ?? ''), clock.now()),
        });
      } catch (error) {
        if (stopped?.aborted) return ended({ error: givenUp(performance.now() - startedMs) });
        return ended({ error: inWords(error, controller.signal.aborted, timeoutMs) });
      } finally {
        clearTimeout(timer);
        stopped?.removeEventListener('abort', abort);
      }
    },
    close: () => agent.destroy(),
  };
}

/** Ends when it is aborted, also while undici looks for an address or connects, where it does not look at the signal. */
async function orAborted<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  signal.throwIfAborted();
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  return Promise.race([work(), aborted]);
}

type Body = AsyncIterable<Buffer> & { destroy(): unknown; on(event: 'error', listener: () => void): unknown };

/** The first bytes of an answer, soon: one that drips, or has no end, is cut off. */
async function readBeginning(body: Body): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  body.on('error', () => undefined);
  const timer = setTimeout(() => body.destroy(), answerTimeoutMs);
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= keptAnswerBytes) break; // leaving the loop ends the body
    }
  } catch {
    // The status is what counts.
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks).subarray(0, keptAnswerBytes);
}

/**
 * Connects to addresses that were checked, and to no others: names are resolved once, each answer is checked,
 * and the connection goes to what was checked, so DNS cannot change its mind in between. An address in the URL
 * itself never passes `lookup`, so it is checked before, and every connection's other end once more.
 */
function guardedConnector(
  allowPrivate: boolean,
  timeoutMs: number,
  dnsServers: ResolverOptions['servers'],
): buildConnector.connector {
  const resolveHost = createResolver({
    useHostsFile: allowPrivate,
    ...(dnsServers !== undefined && { servers: dnsServers }),
  });
  const check = (address: string): void => {
    if (!allowPrivate) requirePublicAddress(address);
  };
  const lookup: LookupFunction = (hostname, { all }, callback) => {
    resolveHost(hostname).then(
      (addresses) => {
        try {
          for (const { address } of addresses) check(address);
        } catch (error) {
          return callback(error as Error, '');
        }
        const [first] = addresses;
        if (all)
          return callback(
            null,
            addresses.map((each) => ({ ...each })),
          );
        callback(null, first?.address ?? '', first?.family);
      },
      (error) => callback(error, ''),
    );
  };
  const connect = buildConnector({ lookup, timeout: timeoutMs, allowH2: false });
  return (target, callback) => {
    try {
      const address = literalAddress(target.hostname);
      if (address !== null) check(address);
    } catch (error) {
      return callback(error as Error, null);
    }
    connect(target, (...[error, socket]) => {
      if (error !== null) return callback(error, null);
      try {
        check(socket.remoteAddress ?? '');
      } catch (refusal) {
        socket.destroy();
        return callback(refusal as Error, null);
      }
      callback(null, socket);
    });
  };
}

const errorsInWords: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  UND_ERR_SOCKET: 'the connection was closed before an answer',
  ENOTFOUND: 'the host name does not exist',
  ENODATA: 'the host name has no address',
  ETIMEOUT: 'the host name could not be looked up in time',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
};

const givenUp = (afterMs: number): string =>
  `no answer within ${(afterMs / 1_000).toFixed(1)} s, and others needed the connection`;

function inWords(error: unknown, wasAborted: boolean, timeoutMs: number): string {
  if (wasAborted || (error as { code?: string }).code === 'UND_ERR_CONNECT_TIMEOUT')
    return `no answer within ${timeoutMs / 1_000} s`;
  if (error instanceof TargetRefused) return error.message;
  const { code, message } = error as { code?: string; message?: string };
  return errorsInWords[code ?? ''] ?? savable(message || code || 'the request failed');
}

/** What a receiver may have put into it, a certificate's names say, must not keep a whole set of attempts from being saved. */
const savable = (text: string): string => text.slice(0, 500).replaceAll('\0', '').toWellFormed();
