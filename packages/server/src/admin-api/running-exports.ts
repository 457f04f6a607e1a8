import type { FastifyReply, FastifyRequest } from 'fastify';
import { staffOf } from '../accounts/require-staff.ts';
import { Refusal } from '../platform/refusal.ts';

/** Of one person. */
const maxAtOnce = 2;

/** Exports under way in this process, whatever of, so that nobody has more than two. */
export class Exports {
  readonly #running = new Map<string, number>();

  /**
   * Counts an answer as an export of whoever asks, until it has been taken or its connection has ended.
   * @throws Refusal RateLimited
   */
  begin(request: FastifyRequest, reply: FastifyReply): void {
    const staff = staffOf(request);
    const person = staff.kind === 'staff' ? staff.staffId : staff.tokenId;
    const running = this.#running.get(person) ?? 0;
    if (running >= maxAtOnce)
      throw new Refusal('RateLimited', 'Two of your exports are under way: let one of them end first.', {
        retryAfterSeconds: 5,
      });
    if (reply.raw.destroyed) return; // who asked has gone already, and no end will be told
    this.#running.set(person, running + 1);
    reply.raw.once('close', () => {
      const left = (this.#running.get(person) ?? 1) - 1;
      if (left === 0) this.#running.delete(person);
      else this.#running.set(person, left);
    });
  }
}
