import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { networkOf } from '../../network-of.ts';
import { type Refusal, unavailable } from '../../refusal.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { App } from '../app-type.ts';
import type { HolderOf } from '../bodies/bound-bodies.ts';
import { reservePages } from '../reserve-pages.ts';
import { AnswerRoom } from './answer-room.ts';

/** Large answers that are made, or wait for their readers. */
const totalBytes = 32 * 1024 * 1024;
const maxWaitMs = 500;
/** Smaller answers fit into the system's own buffers, as long as nothing waits before them. */
const countedFromCharacters = 32 * 1024;
/** Age at which an answer still being sent may be cut off when others need the memory. */
const slowAfterMs = 10_000;

interface Sending {
  readonly socket: Socket;
  readonly holder: string;
  readonly bytes: number;
  readonly sinceMs: number;
}

/**
 * Bounds what answers take: a large page is made when there is room for it, and a large answer is counted until its
 * last byte has left the process, however slow its reader is. Publishers share the room. Without it a read is answered
 * 503, unless a reader of the same publisher is slow, who is cut off for it.
 */
export function boundAnswers(app: App, holderOf: HolderOf, metrics: Metrics): { heldBytes(): number } {
  const room = new AnswerRoom(totalBytes, maxWaitMs);
  const answerHolder = (request: FastifyRequest): string =>
    holderOf(request) ?? `stranger ${networkOf(request.ip)}`;
  const noRoom = (): Refusal => {
    metrics.refusedRequests.inc({ reason: 'answers' });
    return unavailable('Too many large answers wait to be read; ask for smaller pages, or read faster.');
  };
  const sent = new Sendings(room, metrics);
  const learn = reservePages(app, room, answerHolder, noRoom);

  app.addHook('onSend', (request, reply, payload, done) => {
    const { reservedBytes } = request;
    const isCounted = counts(request, reply, payload);
    if (reservedBytes === 0 && !isCounted) return done(null, payload);
    request.reservedBytes = 0;
    const holder = answerHolder(request);
    // As bytes: they are what is counted, and the text is not kept beside them.
    const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload;
    const length = Buffer.isBuffer(bytes) ? bytes.length : 0;
    if (reservedBytes > 0 && reply.statusCode === 200) learn(request, length);
    const neededBytes = isCounted && !request.raw.socket.destroyed ? length : 0;
    if (neededBytes <= reservedBytes || sent.makeRoom(holder, neededBytes - reservedBytes)) {
      if (reservedBytes > neededBytes) room.giveBack(holder, reservedBytes - neededBytes);
      if (neededBytes > 0) sent.add(request.raw.socket, holder, neededBytes, reply);
      return done(null, bytes);
    }
    if (reservedBytes > 0) room.giveBack(holder, reservedBytes);
    // What was saved is told, counted or not: it is no larger than the body was.
    if (request.method === 'GET') done(noRoom());
    else done(null, bytes);
  });
  return { heldBytes: () => room.heldBytes };
}

function counts(request: FastifyRequest, reply: FastifyReply, payload: unknown): boolean {
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return false;
  if (reply.hasSharedBody || request.method === 'HEAD') return false;
  // Behind another answer on its connection it has no socket yet.
  const { socket } = reply.raw;
  return payload.length > countedFromCharacters || socket === null || socket.writableLength > 0;
}

/** Answers on their way, oldest first, and the room they hold. */
class Sendings {
  readonly #room: AnswerRoom;
  readonly #metrics: Metrics;
  readonly #sendings = new Set<Sending>();
  readonly #watched = new WeakSet<Socket>();

  constructor(room: AnswerRoom, metrics: Metrics) {
    this.#room = room;
    this.#metrics = metrics;
  }

  /** An answer that has taken its room. */
  add(socket: Socket, holder: string, bytes: number, reply: FastifyReply): void {
    const sending = { socket, holder, bytes, sinceMs: performance.now() };
    this.#sendings.add(sending);
    reply.raw.once('finish', () => this.#release(sending));
    if (this.#watched.has(socket)) return;
    this.#watched.add(socket);
    socket.once('close', () => this.#releaseAll(socket));
  }

  /** Takes room, cutting off slow readers of the same holder for it. @returns false when that did not help */
  makeRoom(holder: string, bytes: number): boolean {
    while (!this.#room.take(holder, bytes)) if (!this.#cutOffSlowest(holder)) return false;
    return true;
  }

  #cutOffSlowest(holder: string): boolean {
    for (const sending of this.#sendings) {
      if (performance.now() - sending.sinceMs < slowAfterMs) return false;
      if (sending.holder !== holder) continue;
      this.#metrics.refusedRequests.inc({ reason: 'slow_readers' });
      this.#releaseAll(sending.socket);
      sending.socket.destroy();
      return true;
    }
    return false;
  }

  #release(sending: Sending): void {
    if (this.#sendings.delete(sending)) this.#room.giveBack(sending.holder, sending.bytes);
  }

  #releaseAll(socket: Socket): void {
    for (const sending of this.#sendings) if (sending.socket === socket) this.#release(sending);
  }
}
