import type { Clock } from '../platform/clock.ts';
import { Refusal } from '../platform/refusal.ts';
import { TokenBuckets } from '../platform/work/token-bucket.ts';

/**
 * Lets whoever tries (a key, a player) fail so many links a minute, and succeed as often as they like. Each attempt takes
 * its place before anything is looked up, so that guesses sent all at once are no more than guesses sent in a row; one
 * that succeeds gives its place back, and others wait for that rather than be refused while it is under way.
 */
export class LinkAttempts {
  readonly #failures: TokenBuckets;
  readonly #clock: Clock;
  readonly #underWay = new Map<string, { count: number; oneEnds: PromiseWithResolvers<void> }>();
  readonly #retryAfterSeconds: number;

  readonly #message: string;

  /** @param message says whose links failed too often */
  constructor(failuresPerMinute: number, message: string, clock: Clock) {
    this.#message = message;
    this.#failures = new TokenBuckets(failuresPerMinute / 60, failuresPerMinute);
    this.#clock = clock;
    this.#retryAfterSeconds = Math.ceil(60 / failuresPerMinute);
  }

  /**
   * Runs `link`, which fails by throwing a Refusal; whatever else it throws costs nothing.
   * @throws Refusal RateLimited past the limit, without having run it
   */
  async attempt<Result>(who: string, link: () => Promise<Result>): Promise<Result> {
    while (!this.#failures.take(who, this.#clock.now().getTime())) {
      const underWay = this.#underWay.get(who);
      if (underWay === undefined) {
        throw new Refusal('RateLimited', this.#message, {
          retryAfterSeconds: this.#retryAfterSeconds,
        });
      }
      await underWay.oneEnds.promise;
    }
    this.#starts(who);
    let isFailure = false;
    try {
      return await link();
    } catch (error) {
      isFailure = error instanceof Refusal && error.code !== 'Unavailable' && error.code !== 'RateLimited';
      throw error;
    } finally {
      if (!isFailure) this.#failures.giveBack(who);
      this.#ends(who);
    }
  }

  #starts(who: string): void {
    const known = this.#underWay.get(who);
    if (known === undefined) this.#underWay.set(who, { count: 1, oneEnds: Promise.withResolvers<void>() });
    else known.count += 1;
  }

  #ends(who: string): void {
    const underWay = this.#underWay.get(who);
    if (underWay === undefined) throw new Error('a link ended that did not start');
    const { oneEnds } = underWay;
    underWay.count -= 1;
    if (underWay.count === 0) this.#underWay.delete(who);
    else underWay.oneEnds = Promise.withResolvers<void>();
    oneEnds.resolve();
  }
}
