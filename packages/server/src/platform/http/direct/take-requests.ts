import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '../../telemetry/log.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { isTracing } from '../../telemetry/tracing.ts';
import { jsonType } from '../answers/error-answers.ts';
import { secureHeaders } from '../answers/secure-answers.ts';
import type { App } from '../app-type.ts';
import type { Bodies } from '../bodies/bound-bodies.ts';
import type { SocketUse } from '../bound-sockets.ts';
import { reportResponse, requestId } from '../name-requests.ts';
import { noteEarlierWork } from './earlier-work.ts';

/** Operation whose usual requests are answered without the framework. */
export interface DirectOperation<Caller extends { readonly tenant: string }, Work> {
  readonly operationId: string;
  readonly method: string;
  /**
   * Returns who sends a request and may perform the operation, or null to leave the request to the framework. Must not
   * have an effect that the framework would repeat.
   */
  admit(request: IncomingMessage): Caller | null;
  /** Returns the work that a body asks for. Throws anything to leave the request to the framework. */
  read(body: Buffer): Work;
  /** Performs the work. If it fails, the framework answers with the error. */
  perform(caller: Caller, work: Work): Promise<unknown>;
  /** Returns the JSON text of the response, whose status is 200. */
  answer(result: unknown): string;
  /** Called when a response was sent. */
  answered(caller: Caller): void;
}

/** Parts of the HTTP application that count what a request uses. */
export interface DirectDeps {
  sockets: SocketUse;
  bodies: Bodies;
  metrics: Metrics;
  log: Log;
  /**
   * Called with each response instead of sending it, for a comparison of both ways. The framework then answers the
   * request, with the same result.
   */
  compare?: ((answer: DirectAnswer) => void) | undefined;
}

export interface DirectAnswer {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Names and values of the headers, alternating. */
  readonly headers: readonly string[];
  readonly text: string;
}

/** Longest body that is read here. The body of a usual request is much shorter. */
const maxBodyBytes = 16 * 1024;
/** Headers that change how a request is read. */
const unusualHeaders = ['transfer-encoding', 'content-encoding', 'expect', 'upgrade'] as const;
const jsonTypes: ReadonlySet<string | undefined> = new Set(['application/json', jsonType]);
const constantHeaders = [...Object.entries(secureHeaders).flat(), 'content-type', jsonType];

/**
 * Answers usual requests of an operation before the framework's life cycle, which costs a fifth of the processor time of
 * a request that records one purchase. Only successful requests are answered here. All others are left to the framework, together with
 * what was already done for them, so that every error is made in one place (docs/adr/0118-direct-requests.md).
 */
export function takeRequests<Caller extends { readonly tenant: string }, Work>(
  app: App,
  operation: DirectOperation<Caller, Work>,
  { sockets, bodies, metrics, log, compare }: DirectDeps,
): void {
  const { operationId, method } = operation;
  const [leave] = app.server.listeners('request') as [(...taken: Taken) => void];
  let isStopping = false;
  app.addHook('preClose', async () => {
    isStopping = true;
  });

  /** Returns the sender of a usual request; null for any other request. */
  const callerOf = (request: IncomingMessage): Caller | null => {
    if (request.method !== method || isStopping || isTracing()) return null;
    const { headers, socket } = request;
    const length = Number(headers['content-length']);
    if (!(length > 0 && length <= maxBodyBytes) || !jsonTypes.has(headers['content-type'])) return null;
    for (const name of unusualHeaders) if (headers[name] !== undefined) return null;
    // A response that waits behind another one on its connection needs memory that has to be counted.
    return sockets.isQuiet(socket) ? operation.admit(request) : null;
  };

  const take = async (caller: Caller, ...[request, response]: Taken): Promise<void> => {
    const startedAtMs = performance.now();
    const id = requestId(request);
    const held = { bodyBytes: 0 };
    let body: Buffer | Error = unread;
    let outcome: Promise<unknown> | null = null;
    let text: string | null = null;
    sockets.begin(request.socket);
    try {
      body = await bodies.read(request, caller.tenant, held);
      outcome = operation.perform(caller, operation.read(body));
      text = operation.answer(await outcome);
    } catch (error) {
      if (body === unread) body = error as Error;
    }
    bodies.giveBack(caller.tenant, held);
    if (text !== null) {
      const headers = ['x-request-id', id, ...constantHeaders];
      headers.push('content-length', String(Buffer.byteLength(text)));
      if (isStopping) headers.push('connection', 'close');
      if (compare === undefined) {
        response.writeHead(200, headers).end(text);
        sockets.end(request.socket);
        const requestLog = log.isLevelEnabled('debug') ? log.child({ requestId: id }) : null;
        const ms = performance.now() - startedAtMs;
        reportResponse({ metrics, log: requestLog }, { operation: operationId, method, status: 200, ms });
        operation.answered(caller);
        return;
      }
      compare({ request, response, headers, text });
    }
    sockets.cancel(request.socket);
    const performed = outcome === null ? null : { caller, outcome };
    noteEarlierWork(request, { requestId: id, startedAtMs, body, performed });
    leave.call(app.server, request, response);
  };

  app.server.removeAllListeners('request');
  app.server.on('request', (request, response) => {
    const caller = callerOf(request);
    if (caller === null) leave.call(app.server, request, response);
    else void take(caller, request, response);
  });
}

type Taken = [request: IncomingMessage, response: ServerResponse];

const unread = Buffer.alloc(0);
