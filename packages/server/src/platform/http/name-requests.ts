import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Metrics } from '../telemetry/metrics.ts';
import type { App } from './app-type.ts';
import { operationOf } from './operation-of.ts';

const saneRequestId = /^[A-Za-z0-9._:-]{1,64}$/;
const processName = randomBytes(6).toString('base64url');
let requests = 0;

/** An id that is unique to this process's run. */
export function newRequestId(): string {
  requests += 1;
  return `${processName}-${requests.toString(36)}`;
}

/** The client's own id when it is a sane one, else one of ours. */
export function requestId(request: IncomingMessage): string {
  const sent = request.headers['x-request-id'];
  return typeof sent === 'string' && saneRequestId.test(sent) ? sent : newRequestId();
}

/** Every answer carries its request's id; every answer is measured, and logged at debug. */
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
      'answered',
    );
    done();
  });
}
