import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { Refusal, unavailable } from '../../refusal.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { FairShares } from '../../work/fair-shares.ts';
import type { App } from '../app-type.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Bytes of the body that are held in memory, and counted as its holder's. */
    bodyBytes: number;
  }
}

/** Tenant of a request; null for an unauthenticated client. */
export type HolderOf = (request: FastifyRequest) => string | null;

/**
 * Reads a whole body.
 * @throws Refusal PayloadTooLarge over 5 MiB, Unavailable without room, InvalidInput when the client gives up
 */
export type ReadBody = (request: FastifyRequest, payload: IncomingMessage) => Promise<Buffer>;

export const bodyLimitBytes = 5 * 1024 * 1024;
/** Bodies being read or worked on at once; what is made of one takes several times as much. */
const totalBytes = 32 * 1024 * 1024;

/**
 * Bodies are counted byte by byte as they arrive, and read only while there is room, which publishers share.
 * The room is given back when the answer is made, or when the body ends early.
 */
export function boundBodies(
  app: App,
  holderOf: HolderOf,
  metrics: Metrics,
): { readBody: ReadBody; heldBytes(): number } {
  const room = new FairShares(totalBytes);
  const noRoom = (): Refusal => {
    metrics.refusedRequests.inc({ reason: 'bodies' });
    return unavailable('Too many large requests are being worked on; send this one again.');
  };
  app.decorateRequest('bodyBytes', 0);
  // Of every request that has begun an answer is made, also when nobody is left to hear it.
  app.addHook('onSend', (request, _reply, payload, done) => {
    if (request.bodyBytes > 0) room.giveBack(holderOf(request) ?? '', request.bodyBytes);
    request.bodyBytes = 0;
    done(null, payload);
  });

  const readBody: ReadBody = (request, payload) => {
    const holder = holderOf(request);
    if (holder === null) throw new Error('the body of a stranger is about to be read');
    const declared = Number(request.headers['content-length'] ?? 0);
    if (declared > bodyLimitBytes) throw tooLarge();
    if (!room.mayTake(holder, declared)) throw noRoom();
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      const stop = (): void => {
        payload.off('data', onData).off('end', onEnd).off('close', onGone).off('error', onGone);
        payload.on('error', ignore); // what is left of a refused body may break off
      };
      const refuse = (problem: Refusal): void => {
        stop();
        reject(problem);
      };
      const onData = (chunk: Buffer): void => {
        if (request.bodyBytes + chunk.length > bodyLimitBytes) refuse(tooLarge());
        else if (!room.take(holder, chunk.length)) refuse(noRoom());
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
      const onGone = (): void => refuse(new Refusal('InvalidInput', 'The body ended before it was whole.'));
      payload.on('data', onData).on('end', onEnd).on('close', onGone).on('error', onGone);
    });
  };
  return { readBody, heldBytes: () => totalBytes - room.free };
}

const ignore = (): void => undefined;
const tooLarge = (): Refusal =>
  new Refusal('PayloadTooLarge', 'The body is larger than 5 MiB; send fewer entries at a time.');
