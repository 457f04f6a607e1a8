import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { Refusal, unavailable } from '../../refusal.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { FairShares } from '../../work/fair-shares.ts';
import type { App } from '../app-type.ts';
import { earlierWorkOf } from '../direct/earlier-work.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Bytes of the request's body that are in memory and charged to the tenant. */
    bodyBytes: number;
  }
}

/** Returns the tenant of a request, or null for an unauthenticated client. */
export type TenantOf = (request: FastifyRequest) => string | null;

/** Request whose body is counted: the bytes that are in memory and charged to the tenant. */
interface Holder {
  bodyBytes: number;
}

export interface Bodies {
  /**
   * Reads a whole body.
   * @param tenant tenant that the memory is charged to
   * @throws Refusal PayloadTooLarge above 5 MiB, Unavailable if there is no memory, InvalidInput if the client aborts the
   * request
   */
  read(payload: IncomingMessage, tenant: string, holder: Holder): Promise<Buffer>;
  giveBack(tenant: string, holder: Holder): void;
  heldBytes(): number;
}

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
export function boundBodies(app: App, tenantOf: TenantOf, metrics: Metrics): Bodies {
  const memory = new FairShares(totalBytes);
  const outOfMemory = (): Refusal => {
    metrics.refusedRequests.inc({ reason: 'bodies' });
    return unavailable('Too many large requests are being processed. Retry the request.');
  };
  const giveBack: Bodies['giveBack'] = (tenant, holder) => {
    if (holder.bodyBytes > 0) memory.giveBack(tenant, holder.bodyBytes);
    holder.bodyBytes = 0;
  };
  app.decorateRequest('bodyBytes', 0);
  // Runs for every request, even if its client has disconnected.
  app.addHook('onSend', (request, _reply, payload, done) => {
    giveBack(tenantOf(request) ?? '', request);
    done(null, payload);
  });

  /** Returns a body that was read before; the promise rejects with the reason if it couldn't be read. */
  const readAgain = async (body: Buffer | Error, tenant: string, holder: Holder): Promise<Buffer> => {
    if (body instanceof Error) throw body;
    if (!memory.take(tenant, body.length)) throw outOfMemory();
    holder.bodyBytes = body.length;
    return body;
  };

  const read: Bodies['read'] = (payload, tenant, holder) => {
    const earlier = earlierWorkOf(payload);
    if (earlier !== undefined) return readAgain(earlier.body, tenant, holder);
    const declared = Number(payload.headers['content-length'] ?? 0);
    if (declared > bodyLimitBytes) return Promise.reject(tooLarge());
    if (!memory.mayTake(tenant, declared)) return Promise.reject(outOfMemory());
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
        if (holder.bodyBytes + chunk.length > bodyLimitBytes) refuse(tooLarge());
        else if (!memory.take(tenant, chunk.length)) refuse(outOfMemory());
        else {
          holder.bodyBytes += chunk.length;
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
  return { read, giveBack, heldBytes: () => totalBytes - memory.free };
}

const ignore = (): void => undefined;
const tooLarge = (): Refusal =>
  new Refusal('PayloadTooLarge', 'The body is larger than 5 MiB. Send fewer entries at a time.');
