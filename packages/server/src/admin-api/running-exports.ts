import type { FastifyReply, FastifyRequest } from 'fastify';
import { staffOf } from '../accounts/require-staff.ts';
import { Refusal } from '../platform/refusal.ts';

/** Maximum concurrent exports per person or token in this process. */
const maxAtOnce = 2;

/** Exports running in this process, counted per person or token across all kinds of exports. */
export class Exports {
  readonly #running = new Map<string, number>();

  /**
   * Counts the response as one of the caller's exports until it has been sent or its connection has closed.
   * @throws Refusal RateLimited
   */
  begin(request: FastifyRequest, reply: FastifyReply): void {
    const staff = staffOf(request);
    const caller = staff.kind === 'staff' ? staff.staffId : staff.tokenId;
    const running = this.#running.get(caller) ?? 0;
    if (running >= maxAtOnce)
      throw new Refusal(
        'RateLimited',
        'Two of your exports are already running. Wait for one of them to finish.',
        {
          retryAfterSeconds: 5,
        },
      );
    if (reply.raw.destroyed) return; // the client has already disconnected, so no `close` event would follow
    this.#running.set(caller, running + 1);
    reply.raw.once('close', () => {
      const remaining = (this.#running.get(caller) ?? 1) - 1;
      if (remaining === 0) this.#running.delete(caller);
      else this.#running.set(caller, remaining);
    });
  }
}
