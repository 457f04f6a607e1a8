import type { FastifyRequest } from 'fastify';
import { Refusal } from '../refusal.ts';
import type { AnswerRoom } from './answers/answer-room.ts';
import type { App } from './app-type.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Entries of a page when nobody says how many; only where pages can be large. */
    defaultPageSize?: number;
  }
  interface FastifyRequest {
    /** Bytes that are reserved for the answer while it is made. */
    reservedBytes: number;
  }
}

/** Larger pages are not begun before there is room for them. */
const reservedFromEntries = 100;
/** Assumed size of an entry of a kind not seen before. */
const assumedEntryBytes = 8 * 1024;
const maxKept = 10_000;

/**
 * Before a large page is read from the database, room is reserved for as much as its like took lately: many at once
 * would take memory many times over while they are made.
 * @param noRoom what is answered when there was none for a while
 * @returns what is to be told of each page that was made
 */
export function reservePages(
  app: App,
  room: AnswerRoom,
  holderOf: (request: FastifyRequest) => string,
  noRoom: () => Refusal,
): (request: FastifyRequest, bytes: number) => void {
  const entryBytes = new Map<string, number>();
  const kindOf = (request: FastifyRequest): string => `${holderOf(request)} ${request.routeOptions.url}`;

  app.decorateRequest('reservedBytes', 0);
  app.addHook('preHandler', (request, _reply, done) => {
    const entries = entriesAsked(request);
    if (entries <= reservedFromEntries) return done();
    const expected = entries * (entryBytes.get(kindOf(request)) ?? assumedEntryBytes);
    const bytes = Math.ceil(Math.min(expected, room.totalBytes / 2));
    const goOn = (hasRoom: boolean): void => {
      if (hasRoom) request.reservedBytes = bytes;
      const hasLeft = request.raw.socket.destroyed;
      const problem = hasRoom ? null : noRoom();
      done(hasLeft ? new Refusal('InvalidInput', 'The client has left.') : (problem ?? undefined));
    };
    const reserved = room.reserve(holderOf(request), bytes);
    if (typeof reserved === 'boolean') goOn(reserved);
    else void reserved.then(goOn);
  });

  return (request, bytes) => {
    const kind = kindOf(request);
    const before = entryBytes.get(kind) ?? 0;
    entryBytes.delete(kind);
    // It grows at once, and shrinks slowly.
    entryBytes.set(kind, Math.max(bytes / entriesAsked(request), before * 0.8));
    const [oldest] = entryBytes.keys();
    if (entryBytes.size > maxKept && oldest !== undefined) entryBytes.delete(oldest);
  };
}

function entriesAsked(request: FastifyRequest): number {
  const { defaultPageSize } = request.routeOptions.config;
  if (defaultPageSize === undefined) return 0;
  return (request.query as { pageSize?: number }).pageSize ?? defaultPageSize;
}
