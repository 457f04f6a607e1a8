import { hash } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import { Refusal } from '../../platform/refusal.ts';
import { TokenBuckets } from '../../platform/work/token-bucket.ts';

/** Of one address, whatever it tries: an office behind one address signs in at nine. */
const attemptsPerMinute = 30;
/** Of one account, from everywhere: who guesses a password has 960 attempts a day, and who forgot theirs has ten. */
const missesAtOnce = 10;
const missesPerHour = 40;
/** Mail to one address: nobody's inbox is filled by somebody who knows it. */
const mailsPerHour = 3;

/** How often somebody may try to get in; 10,000 addresses and accounts of each process are remembered. */
export class SignInLimits {
  readonly #addresses = new TokenBuckets(attemptsPerMinute / 60, attemptsPerMinute);
  readonly #accounts = new TokenBuckets(missesPerHour / 3_600, missesAtOnce);
  readonly #mails = new TokenBuckets(mailsPerHour / 3_600, mailsPerHour);
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Counts an attempt against an address.
   * @throws Refusal RateLimited
   */
  countAddress(address: string): void {
    if (!this.#addresses.take(address, this.#clock.now().getTime()))
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
   * Counts an attempt against an address and an account, and forgets the latter where it succeeds.
   * @param account an address of mail, a link, a person's id: what is guessed at
   * @throws Refusal RateLimited
   */
  async attempting<Result>(address: string, account: string, work: () => Promise<Result>): Promise<Result> {
    this.countAddress(address);
    const name = nameOf(account);
    if (!this.#accounts.take(name, this.#clock.now().getTime()))
      throw new Refusal('RateLimited', 'Too many attempts for this account; try again in a few minutes.', {
        retryAfterSeconds: 300,
      });
    const result = await work();
    this.#accounts.giveBack(name);
    return result;
  }
}

const nameOf = (account: string): string => hash('sha256', account.trim().toLowerCase(), 'base64');
