import type { FastifyReply, FastifyRequest } from 'fastify';
import { staffOf } from '../accounts/require-staff.ts';
import { RunningDownloads } from '../platform/http/answers/running-downloads.ts';

/** Exports running in this process, counted per person or token across all kinds of exports. */
export class Exports {
  readonly #running = new RunningDownloads(
    'Two of your exports are already running. Wait for one of them to finish.',
  );

  /**
   * Counts the response as one of the caller's exports until it has been sent or its connection has closed.
   * @throws Refusal RateLimited
   */
  begin(request: FastifyRequest, reply: FastifyReply): void {
    const staff = staffOf(request);
    this.#running.begin(staff.kind === 'staff' ? staff.staffId : staff.tokenId, reply);
  }
}
