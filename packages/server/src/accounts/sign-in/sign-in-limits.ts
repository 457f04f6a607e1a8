import { hash } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import { networkOf } from '../../platform/network-of.ts';
import { Refusal } from '../../platform/refusal.ts';
import { BoundedTurns } from '../../platform/work/bounded-turns.ts';
import { TokenBuckets } from '../../platform/work/token-bucket.ts';

/** Of one address, whatever it tries: an office behind one address signs in at nine. */
const attemptsPerMinute = 30;
/** Of one account, from everywhere: who guesses a password has 960 attempts a day, and who forgot theirs has ten. */
const missesAtOnce = 10;
const missesPerHour = 40;
/** Mail to one address: nobody's inbox is filled by somebody who knows it. */
const mailsPerHour = 3;
/**
 * A password takes 32 MB and a tenth of a second of one of Node's four threads, which also look up the names of hosts:
 * two are left to everything else. Sixteen that wait are served within seconds.
 */
const hashing = { atOnce: 2, maxWaiting: 16, maxWaitMs: 5_000 };

export interface Attempt {
  address: string;
  /** An address of mail, a link, a person's id: what is guessed at. */
  account: string;
  /** Whether the browser signed in to the account before: it has an allowance that strangers cannot use up. */
  isKnown?: boolean;
}

/** How often somebody may try to get in; 10,000 addresses and accounts of each process are remembered. */
export class SignInLimits {
  readonly #addresses = new TokenBuckets(attemptsPerMinute / 60, attemptsPerMinute);
  readonly #accounts = new TokenBuckets(missesPerHour / 3_600, missesAtOnce);
  readonly #knownBrowsers = new TokenBuckets(missesPerHour / 3_600, missesAtOnce);
  readonly #mails = new TokenBuckets(mailsPerHour / 3_600, mailsPerHour);
  readonly #hashing = new BoundedTurns(hashing);
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Counts an attempt against an address, of IPv6 against its network.
   * @throws Refusal RateLimited
   */
  countAddress(address: string): void {
    if (!this.#addresses.take(networkOf(address), this.#clock.now().getTime()))
      throw new Refusal('RateLimited', 'Too many attempts from this address; try again in a minute.', {
        retryAfterSeconds: 60,
      });
  }

  /**
   * Counts a mail that somebody asks for who is not signed in.
   * @throws Refusal RateLimited
   */
  countMail(address: string, to: string): void {
    this.countAddress(address);
    if (!this.#mails.take(nameOf(to), this.#clock.now().getTime()))
      throw new Refusal(
        'RateLimited',
        'Several links were mailed already; look for them, or try again in an hour.',
        {
          retryAfterSeconds: 3_600,
        },
      );
  }

  /**
   * Runs what hashes passwords, when it is its turn.
   * @throws Refusal Unavailable where too many wait; nothing was begun then
   */
  hashing<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#hashing.run(tooManyAtOnce, work);
  }

  /**
   * Counts an attempt against an address and an account, and forgets the latter where it succeeds. It has a turn to hash
   * passwords.
   * @throws Refusal RateLimited, Unavailable
   */
  async attempting<Result>(attempt: Attempt, work: () => Promise<Result>): Promise<Result> {
    this.countAddress(attempt.address);
    const name = nameOf(attempt.account);
    const accounts = attempt.isKnown === true ? this.#knownBrowsers : this.#accounts;
    return this.hashing(async () => {
      if (!accounts.take(name, this.#clock.now().getTime()))
        throw new Refusal('RateLimited', 'Too many attempts for this account; try again in a few minutes.', {
          retryAfterSeconds: 300,
        });
      try {
        const result = await work();
        accounts.giveBack(name);
        return result;
      } catch (error) {
        // Only what was compared counts: not what the database could not look up.
        if (!(error instanceof Refusal) || error.code === 'Unavailable') accounts.giveBack(name);
        throw error;
      }
    });
  }
}

const nameOf = (account: string): string => hash('sha256', account.trim().toLowerCase(), 'base64');

const tooManyAtOnce = (): Refusal =>
  new Refusal('Unavailable', 'Many people sign in at this moment; try again in a few seconds.', {
    retryAfterSeconds: 3,
  });
