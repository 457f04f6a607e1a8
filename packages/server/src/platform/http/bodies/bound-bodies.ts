import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { Refusal, unavailable } from '../../refusal.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { FairShares } from '../../work/fair-shares.ts';
import type { App } from '../app-type.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Bytes of the request's body that are in memory and charged to the tenant. */
    bodyBytes: number;
  }
}

/** Returns the tenant of a request, or null for an unauthenticated client. */
export type TenantOf = (request: FastifyRequest) => string | null;

/**
 * Reads a whole body.
 * @throws Refusal PayloadTooLarge above 5 MiB, Unavailable if there is no memory, InvalidInput if the client aborts the
 * request
 */
export type ReadBody = (request: FastifyRequest, payload: IncomingMessage) => Promise<Buffer>;

export const bodyLimitBytes = 5 * 1024 * 1024;
/**
 * Memory for bodies that are being read or processed. The values parsed from these bodies use several times
 * as much memory.
 */
const totalBytes = 32 * 1024 * 1024;

/**
 * Limits the memory that publishers share for bodies. Bodies are counted as they arrive and are read only while there
 * is memory left. A body's memory is freed when the response is ready or the body ends early.
 */
export function boundBodies(
  app: App,
  tenantOf: TenantOf,
  metrics: Metrics,
): { readBody: ReadBody; heldBytes(): number } {
  const memory = new FairShares(totalBytes);
  const outOfMemory = (): Refusal => {
    metrics.refusedRequests.inc({ reason: 'bodies' });
    return unavailable('Too many large requests are being processed. Retry the request.');
  };
  app.decorateRequest('bodyBytes', 0);
  // Runs for every request, even if its client has disconnected.
  app.addHook('onSend', (request, _reply, payload, done) => {
    if (request.bodyBytes > 0) memory.giveBack(tenantOf(request) ?? '', request.bodyBytes);
    request.bodyBytes = 0;
    done(null, payload);
  });

  const readBody: ReadBody = (request, payload) => {
    const tenant = tenantOf(request);
    if (tenant === null) throw new Error('a body without a tenant must not be read');
    const declared = Number(request.headers['content-length'] ?? 0);
    if (declared > bodyLimitBytes) throw tooLarge();
    if (!memory.mayTake(tenant, declared)) throw outOfMemory();
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      const stop = (): void => {
        payload.off('data', onData).off('end', onEnd).off('close', onGone).off('error', onGone);
        payload.on('error', ignore); // reading the rest of a rejected body may fail
      };
      const refuse = (problem: Refusal): void => {
        stop();
        reject(problem);
      };
      const onData = (chunk: Buffer): void => {
        if (request.bodyBytes + chunk.length > bodyLimitBytes) refuse(tooLarge());
        else if (!memory.take(tenant, chunk.length)) refuse(outOfMemory());
        else {
          request.bodyBytes += chunk.length;
          chunks.push(chunk);
        }
      };
      const onEnd = (): void => {
        stop();
        const [first] = chunks;
        resolve(chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks));
      };
      const onGone = (): void => refuse(new Refusal('InvalidInput', 'The body is incomplete.'));
      payload.on('data', onData).on('end', onEnd).on('close', onGone).on('error', onGone);
    });
  };
  return { readBody, heldBytes: () => totalBytes - memory.free };
}

const ignore = (): void => undefined;
const tooLarge = (): Refusal =>
  new Refusal('PayloadTooLarge', 'The body is larger than 5 MiB. Send fewer entries at a time.');
