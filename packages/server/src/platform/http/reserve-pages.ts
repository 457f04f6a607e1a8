import type { FastifyRequest } from 'fastify';
import { Refusal } from '../refusal.ts';
import type { AnswerMemory } from './answers/answer-memory.ts';
import type { App } from './app-type.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Default number of entries per page. Only needed for routes with pages that can be large. */
    defaultPageSize?: number;
  }
  interface FastifyRequest {
    /** Bytes reserved for the response while it is prepared. */
    reservedBytes: number;
  }
}

/** Pages of at most this many entries are read without reserving memory. */
const reservedFromEntries = 100;
/** Assumed size of an entry until one has been measured. */
const assumedEntryBytes = 8 * 1024;
const maxRemembered = 10_000;

/**
 * Reserves memory for a large page before it is read from the database. The amount is based on recent pages of the same
 * route and tenant. Without the reservation, concurrent pages could exceed the available memory many times over.
 * @param outOfMemory creates the refusal to throw if no memory becomes free in time
 * @returns a function to call with the size of each page
 */
export function reservePages(
  app: App,
  memory: AnswerMemory,
  tenantOf: (request: FastifyRequest) => string,
  outOfMemory: () => Refusal,
): (request: FastifyRequest, bytes: number) => void {
  const entryBytes = new Map<string, number>();
  const kindOf = (request: FastifyRequest): string => `${tenantOf(request)} ${request.routeOptions.url}`;

  app.decorateRequest('reservedBytes', 0);
  app.addHook('preHandler', (request, _reply, done) => {
    const entries = requestedEntries(request);
    if (entries <= reservedFromEntries) return done();
    const expected = entries * (entryBytes.get(kindOf(request)) ?? assumedEntryBytes);
    const bytes = Math.ceil(Math.min(expected, memory.totalBytes / 2));
    const proceed = (isReserved: boolean): void => {
      if (isReserved) request.reservedBytes = bytes;
      const hasLeft = request.raw.socket.destroyed;
      const problem = isReserved ? null : outOfMemory();
      done(hasLeft ? new Refusal('InvalidInput', 'The client disconnected.') : (problem ?? undefined));
    };
    const reserved = memory.reserve(tenantOf(request), bytes);
    if (typeof reserved === 'boolean') proceed(reserved);
    else void reserved.then(proceed);
  });

  return (request, bytes) => {
    const kind = kindOf(request);
    const before = entryBytes.get(kind) ?? 0;
    entryBytes.delete(kind);
    // The estimate grows immediately and shrinks slowly.
    entryBytes.set(kind, Math.max(bytes / requestedEntries(request), before * 0.8));
    const [oldest] = entryBytes.keys();
    if (entryBytes.size > maxRemembered && oldest !== undefined) entryBytes.delete(oldest);
  };
}

function requestedEntries(request: FastifyRequest): number {
  const { defaultPageSize } = request.routeOptions.config;
  if (defaultPageSize === undefined) return 0;
  return (request.query as { pageSize?: number }).pageSize ?? defaultPageSize;
}
