import type { Clock } from '../platform/clock.ts';
import { Refusal } from '../platform/refusal.ts';
import { TokenBuckets } from '../platform/work/token-bucket.ts';

/**
 * Limits the number of failed links per minute for a key or player, without limiting successful ones. Each attempt
 * takes a token before looking anything up, so that concurrent guesses are limited in the same way as consecutive ones.
 * A successful attempt returns its token. While attempts are in progress, others wait for tokens instead of being
 * rejected.
 */
export class LinkAttempts {
  readonly #failures: TokenBuckets;
  readonly #clock: Clock;
  readonly #inProgress = new Map<string, { count: number; attemptEnds: PromiseWithResolvers<void> }>();
  readonly #retryAfterSeconds: number;

  readonly #message: string;

  /** @param message error message used once the limit is exceeded */
  constructor(failuresPerMinute: number, message: string, clock: Clock) {
    this.#message = message;
    this.#failures = new TokenBuckets(failuresPerMinute / 60, failuresPerMinute);
    this.#clock = clock;
    this.#retryAfterSeconds = Math.ceil(60 / failuresPerMinute);
  }

  /**
   * Runs `link`. If it throws a Refusal, the attempt counts as a failure; other errors don't count.
   * @throws Refusal RateLimited, without running `link`, once the limit is exceeded
   */
  async attempt<Result>(owner: string, link: () => Promise<Result>): Promise<Result> {
    while (!this.#failures.take(owner, this.#clock.now().getTime())) {
      const inProgress = this.#inProgress.get(owner);
      if (inProgress === undefined) {
        throw new Refusal('RateLimited', this.#message, {
          retryAfterSeconds: this.#retryAfterSeconds,
        });
      }
      await inProgress.attemptEnds.promise;
    }
    this.#starts(owner);
    let isFailure = false;
    try {
      return await link();
    } catch (error) {
      isFailure = error instanceof Refusal && error.code !== 'Unavailable' && error.code !== 'RateLimited';
      throw error;
    } finally {
      if (!isFailure) this.#failures.giveBack(owner);
      this.#ends(owner);
    }
  }

  #starts(owner: string): void {
    const known = this.#inProgress.get(owner);
    if (known === undefined)
      this.#inProgress.set(owner, { count: 1, attemptEnds: Promise.withResolvers<void>() });
    else known.count += 1;
  }

  #ends(owner: string): void {
    const inProgress = this.#inProgress.get(owner);
    if (inProgress === undefined) throw new Error('a link ended that did not start');
    const { attemptEnds } = inProgress;
    inProgress.count -= 1;
    if (inProgress.count === 0) this.#inProgress.delete(owner);
    else inProgress.attemptEnds = Promise.withResolvers<void>();
    attemptEnds.resolve();
  }
}
