import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Metrics } from '../telemetry/metrics.ts';
import type { App } from './app-type.ts';
import { operationOf } from './operation-of.ts';

const validRequestId = /^[A-Za-z0-9._:-]{1,64}$/;
const processName = randomBytes(6).toString('base64url');
let requests = 0;

/** Generates a request id that is unique to this run of the process. */
export function newRequestId(): string {
  requests += 1;
  return `${processName}-${requests.toString(36)}`;
}

export function requestId(request: IncomingMessage): string {
  const sent = request.headers['x-request-id'];
  return typeof sent === 'string' && validRequestId.test(sent) ? sent : newRequestId();
}

/** Adds the request id to every response, records the response time, and logs the response at level debug. */
export function nameRequests(app: App, metrics: Metrics): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const operation = operationOf(request);
    metrics.requestSeconds.observe(
      { operation, method: request.method, status: String(reply.statusCode) },
      reply.elapsedTime / 1_000,
    );
    request.log.debug(
      { operation, method: request.method, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      'responded',
    );
    done();
  });
}
