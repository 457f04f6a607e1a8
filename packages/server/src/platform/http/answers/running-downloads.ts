import type { FastifyReply } from 'fastify';
import { Refusal } from '../../refusal.ts';

/** Maximum concurrent downloads per caller in this process. */
const maxAtOnce = 2;

/** Downloads running in this process, counted per caller. */
export class RunningDownloads {
  readonly #running = new Map<string, number>();
  readonly #message: string;

  /** @param message error if two downloads of the caller are already running */
  constructor(message: string) {
    this.#message = message;
  }

  /**
   * Counts the response as one of the caller's downloads until it has been sent or its connection has closed.
   * @throws Refusal RateLimited
   */
  begin(caller: string, reply: FastifyReply): void {
    const running = this.#running.get(caller) ?? 0;
    if (running >= maxAtOnce) throw new Refusal('RateLimited', this.#message, { retryAfterSeconds: 5 });
    if (reply.raw.destroyed) return; // the client has already disconnected, so no `close` event would follow
    this.#running.set(caller, running + 1);
    reply.raw.once('close', () => {
      const remaining = (this.#running.get(caller) ?? 1) - 1;
      if (remaining === 0) this.#running.delete(caller);
      else this.#running.set(caller, remaining);
    });
  }
}
