import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { App } from './app-type.ts';
import { earlierWorkOf } from './direct/earlier-work.ts';
import { operationOf } from './operation-of.ts';

const validRequestId = /^[A-Za-z0-9._:-]{1,64}$/;
const processName = randomBytes(6).toString('base64url');
let requests = 0;

/** Generates a request id that is unique to this run of the process. */
export function newRequestId(): string {
  requests += 1;
  return `${processName}-${requests.toString(36)}`;
}

/** Returns the id that the request has or was sent with, or a new one. */
export function requestId(request: IncomingMessage): string {
  const earlier = earlierWorkOf(request);
  if (earlier !== undefined) return earlier.requestId;
  const sent = request.headers['x-request-id'];
  return typeof sent === 'string' && validRequestId.test(sent) ? sent : newRequestId();
}

/** Response as it is reported. */
interface Responded {
  readonly operation: string;
  readonly method: string;
  readonly status: number;
  readonly ms: number;
}

/** Records the time of a response, and logs the response at level debug. */
export function reportResponse(
  { metrics, log }: { metrics: Metrics; log: Pick<Log, 'debug'> | null },
  { operation, method, status, ms }: Responded,
): void {
  metrics.requestSeconds.observe({ operation, method, status: String(status) }, ms / 1_000);
  log?.debug({ operation, method, status, ms: Math.round(ms) }, 'responded');
}

/** Adds the request id to every response, and reports the response. */
export function nameRequests(app: App, metrics: Metrics): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const earlier = earlierWorkOf(request.raw);
    reportResponse(
      { metrics, log: request.log },
      {
        operation: operationOf(request),
        method: request.method,
        status: reply.statusCode,
        ms: earlier === undefined ? reply.elapsedTime : performance.now() - earlier.startedAtMs,
      },
    );
    done();
  });
}
