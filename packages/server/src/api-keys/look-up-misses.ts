import type { FastifyRequest } from 'fastify';
import type { Clock } from '../platform/clock.ts';
import { networkOf } from '../platform/network-of.ts';
import { Refusal, type RefusalCode } from '../platform/refusal.ts';
import type { Metrics } from '../platform/telemetry/metrics.ts';
import { TokenBuckets } from '../platform/work/token-bucket.ts';

const misses: ReadonlySet<RefusalCode> = new Set([
  'CodeNotInGroup',
  'PlayerNotInGroup',
  'ReferralAccountNotFound',
  'MemberNotFound',
  'BountyNotFound',
]);

/**
 * Limits unsuccessful lookups by key and client address, because every player has the public key and could guess codes
 * or ids. Successful lookups are never limited.
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

  /** @throws Refusal from the lookup, or RateLimited once the limit is exceeded */
  async limit<Found>(request: FastifyRequest, lookUp: () => Promise<Found>): Promise<Found> {
    try {
      return await lookUp();
    } catch (error) {
      if (!(error instanceof Refusal) || !misses.has(error.code)) throw error;
      const guesser = `${request.principal.keyId} ${networkOf(request.ip)}`;
      if (this.#buckets.take(guesser, this.#clock.now().getTime())) throw error;
      this.#metrics.refusedRequests.inc({ reason: 'look_up_misses' });
      throw new Refusal('RateLimited', 'Too many failed lookups with this key. Try again in a minute.', {
        retryAfterSeconds: 60,
      });
    }
  }

  /** Limits lookups only for public keys, because back ends have no reason to guess. */
  limitPublic<Found>(request: FastifyRequest, lookUp: () => Promise<Found>): Promise<Found> {
    return request.principal.keyKind === 'public' ? this.limit(request, lookUp) : lookUp();
  }
}
