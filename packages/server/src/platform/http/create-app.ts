import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import formbody from '@fastify/formbody';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, { type FastifyServerOptions, LogController } from 'fastify';
import type { Metrics } from '../telemetry/metrics.ts';
import { ApiError, unavailable } from './api-error.ts';
import type { App } from './app-type.ts';
import { answerErrors, sendError, toApiError } from './error-answers.ts';
import { parseQuery } from './read-query.ts';
import { validatorCompiler } from './validator-compiler.ts';

export interface HttpOptions {
  logger: NonNullable<FastifyServerOptions['logger']>;
  requestTimeoutMs: number;
  trustProxy: readonly string[];
  metrics: Metrics;
}

const bodyLimitBytes = 5 * 1024 * 1024;
/** Bodies being read or worked on at once; with JSON's overhead a few times this is what memory must hold. */
const bodiesInFlightBytes = 64 * 1024 * 1024;
/** A transactionId of 255 characters of 4 bytes, each byte percent-encoded. */
const maxParamLength = 255 * 4 * 3;
const formType = 'application/x-www-form-urlencoded';
const idleSocketMs = 75_000; // longer than a load balancer's usual 60 s, so that it closes first

/** An HTTP application with everything that is the same for every operation, and no operation yet. */
export function createHttpApp({ logger, requestTimeoutMs, trustProxy, metrics }: HttpOptions): App {
  const app = Fastify({
    logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    trustProxy: trustProxy.length === 0 ? false : [...trustProxy],
    bodyLimit: bodyLimitBytes,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: idleSocketMs,
    http: { headersTimeout: Math.min(requestTimeoutMs, 10_000), connectionsCheckingInterval: 1_000 },
    // The game SDKs published for this interface end some addresses with a slash.
    routerOptions: { maxParamLength, querystringParser: parseQuery, ignoreTrailingSlash: true },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    genReqId: requestId,
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id);
      void sendError(request, reply, toApiError(error));
    },
    clientErrorHandler: answerBrokenRequest,
  }).withTypeProvider<TypeBoxTypeProvider>() as unknown as App;

  // Clients that always say "application/json" say so of a DELETE without a body too; it is not read, as on a GET.
  app.addHttpMethod('DELETE', { hasBody: false, overrideExisting: true });
  app.setValidatorCompiler(validatorCompiler as never);
  answerErrors(app);
  app.removeContentTypeParser('text/plain'); // Fastify's own; no operation reads it
  app.register(formbody, { bodyLimit: bodyLimitBytes });
  nameRequests(app, metrics);
  boundBodies(app, metrics);
  endConnections(app);
  keepFormsOut(app);
  return app;
}

/** Every answer carries its request's id; every answer is measured, and logged at debug. */
function nameRequests(app: App, metrics: Metrics): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const schema = request.routeOptions.schema as { operationId?: string } | undefined;
    metrics.requestSeconds.observe(
      {
        operation: schema?.operationId ?? (request.is404 ? 'none' : (request.routeOptions.url ?? 'none')),
        method: request.method,
        status: String(reply.statusCode),
      },
      reply.elapsedTime / 1_000,
    );
    request.log.debug(
      { method: request.method, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      'answered',
    );
    done();
  });
}

/** While the server stops, an answer ends its connection, which would keep it waiting for the next request. */
function endConnections(app: App): void {
  let isStopping = false;
  app.addHook('preClose', async () => {
    isStopping = true;
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isStopping) reply.header('connection', 'close');
    done(null, payload);
  });
}

/** Refuses a body that memory has no room for, before reading it. */
function boundBodies(app: App, metrics: Metrics): void {
  let inFlightBytes = 0;
  const sizes = new WeakMap<IncomingMessage, number>();
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers, method } = request;
    if (method === 'GET' || method === 'HEAD') return done();
    // A body of unknown length may grow up to the limit; a declared one over the limit is refused unread.
    const declared =
      headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : bodyLimitBytes;
    const bytes = Number.isFinite(declared) ? Math.min(declared, bodyLimitBytes) : bodyLimitBytes;
    if (inFlightBytes + bytes > bodiesInFlightBytes) {
      metrics.refusedRequests.inc({ reason: 'bodies' });
      return done(unavailable('Too many large requests are being worked on; send this one again.'));
    }
    inFlightBytes += bytes;
    sizes.set(request.raw, bytes);
    done();
  });
  const release = (raw: IncomingMessage): void => {
    inFlightBytes -= sizes.get(raw) ?? 0;
    sizes.delete(raw);
  };
  app.addHook('onResponse', (request, _reply, done) => {
    release(request.raw);
    done();
  });
  app.addHook('onRequestAbort', (request, done) => {
    release(request.raw);
    done();
  });
}

/**
 * Form bodies are read only by operations that say so (`consumes`). Elsewhere they are a client that forgot
 * its content type, and would be told that fields are missing which it sent.
 */
function keepFormsOut(app: App): void {
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    const { consumes } = (request.routeOptions.schema ?? {}) as { consumes?: string[] };
    const isForm = request.headers['content-type']?.toLowerCase().startsWith(formType) === true;
    // A body on a GET, or a DELETE, is nobody's business.
    const isRead = !['GET', 'HEAD', 'DELETE'].includes(request.method) && !request.is404;
    if (!isRead || !isForm || consumes?.includes(formType)) return done();
    const message = 'This operation reads JSON; send the header Content-Type: application/json.';
    done(new ApiError('InvalidInput', message, { status: 415 }));
  });
}

const saneRequestId = /^[A-Za-z0-9._:-]{1,64}$/;
const processName = randomBytes(6).toString('base64url');
let requests = 0;

/** The client's own id when it is a sane one, else one that is unique to this process's run. */
function requestId(request: IncomingMessage): string {
  const sent = request.headers['x-request-id'];
  if (typeof sent === 'string' && saneRequestId.test(sent)) return sent;
  requests += 1;
  return `${processName}-${requests.toString(36)}`;
}

const brokenRequests: Readonly<Record<string, readonly [status: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are larger than 16 KiB.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive.'],
};

/** What cannot be parsed as HTTP never becomes a request: the answer is written to the socket. */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, message] = brokenRequests[error.code ?? ''] ?? [
    '400 Bad Request',
    'This is not HTTP/1.1 that can be read.',
  ];
  const body = JSON.stringify({ code: 'InvalidInput', message });
  requests += 1;
  socket.end(
    `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `x-request-id: ${processName}-${requests.toString(36)}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
