import type { FastifyRequest } from 'fastify';
import type { Clock } from '../platform/clock.ts';
import { networkOf } from '../platform/network-of.ts';
import { Refusal, type RefusalCode } from '../platform/refusal.ts';
import type { Metrics } from '../platform/telemetry/metrics.ts';
import { TokenBuckets } from '../platform/work/token-bucket.ts';

const misses: ReadonlySet<RefusalCode> = new Set([
  'CodeNotInGroup',
  'PlayerNotInGroup',
  'MemberNotFound',
  'BountyNotFound',
]);

/**
 * Lets so many look-ups a minute find nothing, by key and client address: a public key is in the hands of every
 * player, and guessing is asking for what does not exist. What exists is never refused.
 */
export class LookUpMisses {
  readonly #buckets: TokenBuckets;
  readonly #clock: Clock;
  readonly #metrics: Metrics;

  constructor(perMinute: number, clock: Clock, metrics: Metrics) {
    this.#buckets = new TokenBuckets(perMinute / 60, perMinute);
    this.#clock = clock;
    this.#metrics = metrics;
  }

  /** Runs a look-up. @throws Refusal RateLimited instead of its own, when it finds nothing past the limit */
  async limit<Found>(request: FastifyRequest, lookUp: () => Promise<Found>): Promise<Found> {
    try {
      return await lookUp();
    } catch (error) {
      if (!(error instanceof Refusal) || !misses.has(error.code)) throw error;
      const guesser = `${request.principal.keyId} ${networkOf(request.ip)}`;
      if (this.#buckets.take(guesser, this.#clock.now().getTime())) throw error;
      this.#metrics.refusedRequests.inc({ reason: 'look_up_misses' });
      throw new Refusal('RateLimited', 'Too much that does not exist was asked for with this key.', {
        retryAfterSeconds: 60,
      });
    }
  }

  /** The same for what only players guess at: a back end may ask for whatever it likes. */
  limitPublic<Found>(request: FastifyRequest, lookUp: () => Promise<Found>): Promise<Found> {
    return request.principal.keyKind === 'public' ? this.limit(request, lookUp) : lookUp();
  }
}
