import type { FastifyRequest } from 'fastify';
import {
  isSampled,
  isTracing,
  newTrace,
  readTraceParent,
  saveSpan,
  type Trace,
  within,
} from '../telemetry/tracing.ts';
import type { App } from './app-type.ts';

interface RequestTrace {
  readonly own: Trace;
  readonly parent: Trace | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null if the request is not sampled. */
    trace: RequestTrace | null;
  }
}

export interface TraceRequestsOptions {
  /** Returns whether a request is for a route that requires a principal. */
  isAuthenticated(request: FastifyRequest): boolean;
  /** Returns whether the caller may choose the request's trace. */
  trustsTrace(request: FastifyRequest): boolean;
  /** Returns the publisher to record as an attribute of the span. */
  publisherOf(request: FastifyRequest): string | null;
}

/**
 * Traces authenticated requests. The request joins the caller's trace if the caller is trusted. Requests from
 * unauthenticated clients don't create spans, so that they can't flood the collector. If tracing is off, doesn't add
 * any hooks.
 */
export function traceRequests(
  app: App,
  { isAuthenticated, trustsTrace, publisherOf }: TraceRequestsOptions,
): void {
  if (!isTracing()) return;
  app.decorateRequest('trace', null);
  app.addHook('onRequest', (request, _reply, done) => {
    if (isAuthenticated(request)) {
      const parent = trustsTrace(request) ? readTraceParent(request.headers.traceparent) : null;
      if (parent?.isSampled ?? isSampled()) request.trace = { own: newTrace(parent), parent };
    }
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    if (request.trace !== null) saveSpan(spanOf(request, request.trace, reply));
    done();
  });
  app.addHook('preHandler', (request, _reply, done) => {
    if (request.trace === null) done();
    else within(request.trace.own, done);
  });

  const spanOf = (
    request: FastifyRequest,
    { own, parent }: RequestTrace,
    { statusCode, elapsedTime }: { statusCode: number; elapsedTime: number },
  ) => {
    const { method, routeOptions, id } = request;
    const route = routeOptions.url ?? '';
    const schema = routeOptions.schema as { operationId?: string } | undefined;
    const publisherId = publisherOf(request);
    return {
      name: `${method} ${route}`,
      kind: 'server' as const,
      own,
      parent,
      startedAt: performance.now() - elapsedTime,
      attributes: {
        'http.request.method': method,
        'http.route': route,
        'http.response.status_code': statusCode,
        'attribution.request_id': id,
        ...(schema?.operationId !== undefined && { 'attribution.operation': schema.operationId }),
        ...(publisherId !== null && { 'attribution.publisher_id': publisherId }),
      },
      // By OpenTelemetry's conventions, a 4xx response isn't an error on the server's span.
      error: statusCode >= 500 ? String(statusCode) : null,
    };
  };
}
