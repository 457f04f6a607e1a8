import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, { LogController } from 'fastify';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { answerBrokenRequest } from './answer-broken-requests.ts';
import { boundAnswers } from './answers/bound-answers.ts';
import { endStalledAnswers } from './answers/end-stalled-answers.ts';
import { answerErrors, sendError, toApiError } from './answers/error-answers.ts';
import { secureAnswers, secureHeaders } from './answers/secure-answers.ts';
import type { App } from './app-type.ts';
import { type Bodies, boundBodies, type TenantOf } from './bodies/bound-bodies.ts';
import { drainBodies } from './bodies/drain-bodies.ts';
import { readBodies } from './bodies/read-bodies.ts';
import { boundSockets, type SocketBounds, type SocketUse } from './bound-sockets.ts';
import { nameRequests, requestId } from './name-requests.ts';
import { parseQuery } from './schemas/read-query.ts';
import { serializerCompiler } from './schemas/serializer-compiler.ts';
import { validatorCompiler } from './schemas/validator-compiler.ts';

export interface HttpOptions {
  log: Log;
  requestTimeoutMs: number;
  /** Maximum time that a client may go without reading any of its response. */
  answerTimeoutMs: number;
  sockets: SocketBounds;
  metrics: Metrics;
  tenantOf: TenantOf;
}

/** Length of a transactionId with 255 characters of 4 bytes each, if every byte is percent-encoded. */
const maxParamLength = 255 * 4 * 3;
const idleSocketMs = 75_000; // longer than the usual 60 s of load balancers, so that they close connections first

/** Memory and connections currently used by an application, for /metrics. */
export interface HttpUsage {
  bodyBytes(): number;
  answerBytes(): number;
  connections(): number;
}

/** Application, and what counts the use of its connections and bodies. */
export interface HttpApp {
  readonly app: App;
  readonly sockets: SocketUse;
  readonly bodies: Bodies;
  readonly usage: HttpUsage;
}

/** Creates the HTTP application with the features shared by all operations, but without routes. */
export function createHttpApp(options: HttpOptions): HttpApp {
  const { log, requestTimeoutMs, answerTimeoutMs, sockets, metrics, tenantOf } = options;
  const { trustProxy } = sockets;
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    trustProxy: trustProxy.length === 0 ? false : [...trustProxy],
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: idleSocketMs,
    http: { headersTimeout: Math.min(requestTimeoutMs, 10_000), connectionsCheckingInterval: 1_000 },
    // The published game SDKs for this API append slashes to some paths.
    routerOptions: { maxParamLength, querystringParser: parseQuery, ignoreTrailingSlash: true },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    genReqId: requestId,
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id).headers(secureHeaders);
      void sendError(request, reply, toApiError(error));
    },
    clientErrorHandler: answerBrokenRequest,
  }).withTypeProvider<TypeBoxTypeProvider>() as unknown as App;

  // An unknown `Expect` header is ignored. Otherwise, Node itself would return 417, bypassing everything
  // below.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.setValidatorCompiler(validatorCompiler as never);
  app.setSerializerCompiler(serializerCompiler as never);
  app.decorateReply('hasSharedBody', false);
  nameRequests(app, metrics);
  secureAnswers(app);
  answerErrors(app);
  const socketUse = boundSockets(app, tenantOf, metrics, sockets);
  const { connections } = socketUse;
  endStalledAnswers(app, connections, metrics, answerTimeoutMs);
  const answers = boundAnswers(app, tenantOf, metrics);
  const bodies = boundBodies(app, tenantOf, metrics);
  readBodies(app, bodies, tenantOf);
  drainBodies(app);
  closeConnectionsOnStop(app);
  return {
    app,
    sockets: socketUse,
    bodies,
    usage: {
      bodyBytes: bodies.heldBytes,
      answerBytes: answers.heldBytes,
      connections: () => connections.size,
    },
  };
}

/**
 * While the service is stopping, closes each connection after its current response instead of waiting for the
 * next request.
 */
function closeConnectionsOnStop(app: App): void {
  let isStopping = false;
  app.addHook('preClose', async () => {
    isStopping = true;
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isStopping) reply.header('connection', 'close');
    done(null, payload);
  });
}
