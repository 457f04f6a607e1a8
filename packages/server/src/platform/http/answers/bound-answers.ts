import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { networkOf } from '../../network-of.ts';
import { type Refusal, unavailable } from '../../refusal.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { App } from '../app-type.ts';
import type { TenantOf } from '../bodies/bound-bodies.ts';
import { reservePages } from '../reserve-pages.ts';
import { AnswerMemory } from './answer-memory.ts';

const totalBytes = 32 * 1024 * 1024;
const maxWaitMs = 500;
/**
 * Responses of this length or longer are counted. Shorter responses fit into the operating system's buffers,
 * unless other data is queued before them.
 */
const countedFromCharacters = 32 * 1024;
/** Age after which a response that is still being sent can be cut off if its tenant needs the memory. */
const slowAfterMs = 10_000;

interface Sending {
  readonly socket: Socket;
  readonly tenant: string;
  readonly bytes: number;
  readonly sinceMs: number;
}

/**
 * Limits the memory that publishers share for responses. A large page is read only if there is memory for it. A large
 * response is counted until its last byte has left the process, no matter how slow the client is. If memory runs out, a
 * read gets a 503 unless a slow client of the same publisher can be cut off.
 */
export function boundAnswers(app: App, tenantOf: TenantOf, metrics: Metrics): { heldBytes(): number } {
  const memory = new AnswerMemory(totalBytes, maxWaitMs);
  const answerTenant = (request: FastifyRequest): string =>
    tenantOf(request) ?? `unauthenticated ${networkOf(request.ip)}`;
  const outOfMemory = (): Refusal => {
    metrics.refusedRequests.inc({ reason: 'answers' });
    return unavailable(
      'Too many large responses have not been read yet. Request smaller pages, or read responses faster.',
    );
  };
  const sent = new Sendings(memory, metrics);
  const noteSize = reservePages(app, memory, answerTenant, outOfMemory);

  app.addHook('onSend', (request, reply, payload, done) => {
    const { reservedBytes } = request;
    const isCounted = counts(request, reply, payload);
    if (reservedBytes === 0 && !isCounted) return done(null, payload);
    request.reservedBytes = 0;
    const tenant = answerTenant(request);
    // Convert text to bytes, so that the counted buffer is the only copy and the original text can be freed.
    const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload;
    const length = Buffer.isBuffer(bytes) ? bytes.length : 0;
    if (reservedBytes > 0 && reply.statusCode === 200) noteSize(request, length);
    const neededBytes = isCounted && !request.raw.socket.destroyed ? length : 0;
    if (neededBytes <= reservedBytes || sent.take(tenant, neededBytes - reservedBytes)) {
      if (reservedBytes > neededBytes) memory.giveBack(tenant, reservedBytes - neededBytes);
      if (neededBytes > 0) sent.add(request.raw.socket, tenant, neededBytes, reply);
      return done(null, bytes);
    }
    if (reservedBytes > 0) memory.giveBack(tenant, reservedBytes);
    // The result of a write is sent even if no memory is available, because the result is no larger
    // than the request's body.
    if (request.method === 'GET') done(outOfMemory());
    else done(null, bytes);
  });
  return { heldBytes: () => memory.heldBytes };
}

function counts(request: FastifyRequest, reply: FastifyReply, payload: unknown): boolean {
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return false;
  if (reply.hasSharedBody || request.method === 'HEAD') return false;
  // A response that is queued behind another response on its connection has no socket yet.
  const { socket } = reply.raw;
  return payload.length > countedFromCharacters || socket === null || socket.writableLength > 0;
}

/** Responses being sent, oldest first, and the memory they use. */
class Sendings {
  readonly #memory: AnswerMemory;
  readonly #metrics: Metrics;
  readonly #sendings = new Set<Sending>();
  readonly #watched = new WeakSet<Socket>();

  constructor(memory: AnswerMemory, metrics: Metrics) {
    this.#memory = memory;
    this.#metrics = metrics;
  }

  /** Adds a response for which memory has been reserved. */
  add(socket: Socket, tenant: string, bytes: number, reply: FastifyReply): void {
    const sending = { socket, tenant, bytes, sinceMs: performance.now() };
    this.#sendings.add(sending);
    reply.raw.once('finish', () => this.#release(sending));
    if (this.#watched.has(socket)) return;
    this.#watched.add(socket);
    socket.once('close', () => this.#releaseAll(socket));
  }

  /**
   * Reserves memory, cutting off slow clients of the same tenant if necessary. @returns false if not enough
   * memory is available
   */
  take(tenant: string, bytes: number): boolean {
    while (!this.#memory.take(tenant, bytes)) if (!this.#cutOffSlowest(tenant)) return false;
    return true;
  }

  #cutOffSlowest(tenant: string): boolean {
    for (const sending of this.#sendings) {
      if (performance.now() - sending.sinceMs < slowAfterMs) return false;
      if (sending.tenant !== tenant) continue;
      this.#metrics.refusedRequests.inc({ reason: 'slow_readers' });
      this.#releaseAll(sending.socket);
      sending.socket.destroy();
      return true;
    }
    return false;
  }

  #release(sending: Sending): void {
    if (this.#sendings.delete(sending)) this.#memory.giveBack(sending.tenant, sending.bytes);
  }

  #releaseAll(socket: Socket): void {
    for (const sending of this.#sendings) if (sending.socket === socket) this.#release(sending);
  }
}
