import { hash } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import { networkOf } from '../../platform/network-of.ts';
import { Refusal } from '../../platform/refusal.ts';
import { BoundedTurns } from '../../platform/work/bounded-turns.ts';
import { TokenBuckets } from '../../platform/work/token-bucket.ts';

/**
 * Attempts per minute per client address, across all accounts. Enough for an office whose staff share one address and
 * all sign in at nine in the morning.
 */
const attemptsPerMinute = 30;
/**
 * Consecutive failed attempts per account, across all addresses. Enough for people who have forgotten their
 * password.
 */
const maxFailuresAtOnce = 10;
/** Failed attempts per account per hour. An attacker gets at most 960 guesses a day. */
const failuresPerHour = 40;
/** Emails per recipient per hour, so that an unauthenticated client can't flood an inbox. */
const mailsPerHour = 3;
/**
 * Limits for password hashing. A hash uses 32 MB of memory and takes 0.1 s on one of Node's four threads.
 * These threads also resolve host names, so two threads are left for other work. Sixteen waiting requests are
 * served within seconds.
 */
const hashing = { maxRunning: 2, maxWaiting: 16, maxWaitMs: 5_000 };

export interface Attempt {
  address: string;
  /** Target of an attacker's guesses: an email address, a link or a person's id. */
  account: string;
  /**
   * True for a browser that has signed in to the account before. Other browsers can't use up its allowance.
   */
  isKnown?: boolean;
}

/** Limits on attempts to sign in. Each process remembers up to 10,000 addresses and 10,000 accounts. */
export class SignInLimits {
  readonly #addresses = new TokenBuckets(attemptsPerMinute / 60, attemptsPerMinute);
  readonly #accounts = new TokenBuckets(failuresPerHour / 3_600, maxFailuresAtOnce);
  readonly #knownBrowsers = new TokenBuckets(failuresPerHour / 3_600, maxFailuresAtOnce);
  readonly #mails = new TokenBuckets(mailsPerHour / 3_600, mailsPerHour);
  readonly #hashing = new BoundedTurns(hashing);
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Counts an attempt against a client address or, for IPv6, against its /64 network.
   * @throws Refusal RateLimited
   */
  countAddress(address: string): void {
    if (!this.#addresses.take(networkOf(address), this.#clock.now().getTime()))
      throw new Refusal('RateLimited', 'Too many attempts from this address. Try again in a minute.', {
        retryAfterSeconds: 60,
      });
  }

  /**
   * Counts an email requested by an unauthenticated client.
   * @throws Refusal RateLimited
   */
  countMail(address: string, to: string): void {
    this.countAddress(address);
    if (!this.#mails.take(nameOf(to), this.#clock.now().getTime()))
      throw new Refusal(
        'RateLimited',
        'Several links were already sent. Check your inbox, or try again in an hour.',
        {
          retryAfterSeconds: 3_600,
        },
      );
  }

  /**
   * Waits for a turn, then runs work that hashes passwords.
   * @throws Refusal Unavailable, without starting the work, if too many requests are waiting
   */
  hashing<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#hashing.run(tooManyAtOnce, work);
  }

  /**
   * Waits for a turn to hash, then runs a sign-in attempt. The attempt is counted against the address and,
   * unless it succeeds, against the account.
   * @throws Refusal RateLimited, Unavailable
   */
  async attempting<Result>(attempt: Attempt, work: () => Promise<Result>): Promise<Result> {
    this.countAddress(attempt.address);
    const name = nameOf(attempt.account);
    const accounts = attempt.isKnown === true ? this.#knownBrowsers : this.#accounts;
    return this.hashing(async () => {
      if (!accounts.take(name, this.#clock.now().getTime()))
        throw new Refusal('RateLimited', 'Too many attempts for this account. Try again in a few minutes.', {
          retryAfterSeconds: 300,
        });
      try {
        const result = await work();
        accounts.giveBack(name);
        return result;
      } catch (error) {
        // Count only wrong credentials, not database outages.
        if (!(error instanceof Refusal) || error.code === 'Unavailable') accounts.giveBack(name);
        throw error;
      }
    });
  }
}

const nameOf = (account: string): string => hash('sha256', account.trim().toLowerCase(), 'base64');

const tooManyAtOnce = (): Refusal =>
  new Refusal('Unavailable', 'Too many people are signing in right now. Try again in a few seconds.', {
    retryAfterSeconds: 3,
  });
