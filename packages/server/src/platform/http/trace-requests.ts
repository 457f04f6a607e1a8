import type { FastifyRequest } from 'fastify';
import {
  isChosen,
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
  /** The caller's span. */
  readonly parent: Trace | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Trace of the request, where tracing is on and the trace is kept. */
    trace: RequestTrace | null;
  }
}

export interface TraceRequestsOptions {
  /** Returns true for a request to a route that needs a principal. */
  isOfSomebody(request: FastifyRequest): boolean;
  /** Returns true for a caller that may choose the request's trace. */
  believes(request: FastifyRequest): boolean;
  /** Returns the publisher on whose behalf the request is made, for readers of the span. */
  publisherOf(request: FastifyRequest): string | null;
}

/**
 * A span for each request that knows who asks, in its caller's trace where the caller is believed. What is refused before
 * that has none: strangers can fill nothing. With tracing off there is no hook at all.
 */
export function traceRequests(app: App, { isOfSomebody, believes, publisherOf }: TraceRequestsOptions): void {
  if (!isTracing()) return;
  app.decorateRequest('trace', null);
  app.addHook('onRequest', (request, _reply, done) => {
    if (isOfSomebody(request)) {
      const parent = believes(request) ? readTraceParent(request.headers.traceparent) : null;
      if (parent?.isKept ?? isChosen()) request.trace = { own: newTrace(parent), parent };
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
      // As OpenTelemetry has it: what the caller did wrong is no error of the server's.
      error: statusCode >= 500 ? String(statusCode) : null,
    };
  };
}
