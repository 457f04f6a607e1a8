import { hash } from 'node:crypto';
import type { Clock } from '../platform/clock.ts';
import { networkOf } from '../platform/network-of.ts';
import { Refusal } from '../platform/refusal.ts';
import { TokenBuckets } from '../platform/work/token-bucket.ts';

/** Attempts per minute per client address. Phones of one mobile network may share an address. */
const attemptsPerMinute = 60;
/** Emails per hour that one client address may request for one recipient. */
const mailsPerAsker = 3;
/** Emails per hour to one recipient, and the same number again for browsers that have signed in as the recipient. */
const mailsPerRecipient = 10;
/** Emails per hour that one client address may request for all recipients together. */
const mailsPerAddress = 60;
/** Emails per hour with codes that confirm changes of one person. */
const confirmationsPerPerson = 10;
/** Requests per second of one person, with bursts, so that one creator can't use up a publisher's connections. */
const requests = { perSecond: 10, burst: 60 };

/** Requests per second with the secret of one stream alert, with bursts. Its overlays send one after the other's response. */
const overlayRequests = { perSecond: 10, burst: 30 };

/** Changes of a name per day of one person. */
const renamesPerDay = 10;
/** Downloads per hour of the file about a person. Each reads all of the person's rows. */
const filesPerHour = 6;

/** Pages of groups per minute per client address. */
const pagesPerMinute = 120;
/** Codes per minute that one person, or one client address, may check while typing. */
const checksPerMinute = 120;
/** Applications per day of one person, and per hour from one client address. Rejected ones don't count. */
const applications = { perDay: 3, perAddressAndHour: 20 };

export interface MailRequest {
  address: string;
  /** Normalized email address of the recipient. */
  email: string;
  /** True for a browser that has signed in as the recipient before. Other browsers can't use up its allowance. */
  isKnown: boolean;
}

/** Limits on sign-ins and requests of creators. Each process remembers up to 10,000 keys of each kind. */
export class PortalLimits {
  readonly #attempts = new TokenBuckets(attemptsPerMinute / 60, attemptsPerMinute);
  readonly #askers = new TokenBuckets(mailsPerAsker / 3_600, mailsPerAsker);
  readonly #addresses = new TokenBuckets(mailsPerAddress / 3_600, mailsPerAddress);
  readonly #recipients = new TokenBuckets(mailsPerRecipient / 3_600, mailsPerRecipient);
  readonly #knownBrowsers = new TokenBuckets(mailsPerRecipient / 3_600, mailsPerRecipient);
  readonly #confirmations = new TokenBuckets(confirmationsPerPerson / 3_600, confirmationsPerPerson);
  readonly #requests = new TokenBuckets(requests.perSecond, requests.burst);
  readonly #renames = new TokenBuckets(renamesPerDay / 86_400, renamesPerDay);
  readonly #files = new TokenBuckets(filesPerHour / 3_600, filesPerHour);
  readonly #pages = new TokenBuckets(pagesPerMinute / 60, pagesPerMinute);
  readonly #checks = new TokenBuckets(checksPerMinute / 60, checksPerMinute);
  readonly #applicants = new TokenBuckets(applications.perDay / 86_400, applications.perDay);
  readonly #applying = new TokenBuckets(
    applications.perAddressAndHour / 3_600,
    applications.perAddressAndHour,
  );
  readonly #overlays = new TokenBuckets(overlayRequests.perSecond, overlayRequests.burst);
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Counts an attempt against a client address or, for IPv6, against its /64 network.
   * @throws Refusal RateLimited
   */
  countAttempt(address: string): void {
    if (!this.#take(this.#attempts, networkOf(address)))
      throw limited('Too many attempts from this address. Try again in a minute.', 60);
  }

  /**
   * Counts an email with a code. A browser that is known to the recipient has an allowance of its own, so that other
   * people's requests can't keep a creator from signing in.
   * @throws Refusal RateLimited
   */
  countMail({ address, email, isKnown }: MailRequest): void {
    this.countAttempt(address);
    const network = networkOf(address);
    const recipient = hash('sha256', email, 'base64');
    if (isKnown) {
      if (!this.#take(this.#knownBrowsers, recipient)) throw tooManyMails();
      return;
    }
    if (!this.#take(this.#askers, `${network} ${recipient}`)) throw tooManyMails();
    if (!this.#take(this.#addresses, network) || !this.#take(this.#recipients, recipient))
      throw tooManyMails();
  }

  /** Counts an email with a code that confirms a change of a signed-in person. @throws Refusal RateLimited */
  countConfirmation(userId: string): void {
    if (!this.#take(this.#confirmations, userId)) throw tooManyMails();
  }

  /** Counts a request of a signed-in person. @throws Refusal RateLimited */
  countRequest(userId: string): void {
    if (!this.#take(this.#requests, userId))
      throw limited('Too many requests. Try again in a few seconds.', 3);
  }

  /** Counts a download of the file about a person. @throws Refusal RateLimited */
  countFile(userId: string): void {
    if (!this.#take(this.#files, userId))
      throw limited('You have downloaded your data several times. Try again in ten minutes.', 600);
  }

  /** Counts a change of the person's name. @throws Refusal RateLimited */
  countRename(userId: string): void {
    if (!this.#take(this.#renames, userId))
      throw limited('You have changed your name several times. Try again in a few hours.', 8_640);
  }

  /** Counts a view of the page of a group, which needs no session. @throws Refusal RateLimited */
  countPage(address: string): void {
    if (!this.#take(this.#pages, networkOf(address)))
      throw limited('Too many requests from this address. Try again in a minute.', 60);
  }

  /** Counts a check of a code, for the person and for the client address. @throws Refusal RateLimited */
  countCheck(userId: string, address: string): void {
    const isAllowed =
      this.#take(this.#checks, userId) && this.#take(this.#checks, `from ${networkOf(address)}`);
    if (!isAllowed) throw limited('You checked many codes. Try again in a minute.', 60);
  }

  /**
   * Sends an application, and counts it for the person and the client address unless it is rejected or was sent before.
   * @throws Refusal RateLimited, without sending it
   */
  async countApplication(
    userId: string,
    address: string,
    send: () => Promise<{ isNew: boolean }>,
  ): Promise<void> {
    this.countAttempt(address);
    const network = networkOf(address);
    if (!this.#take(this.#applicants, userId))
      throw limited(
        'You have sent several applications today. Try again tomorrow.',
        86_400 / applications.perDay,
      );
    if (!this.#take(this.#applying, network)) {
      this.#applicants.giveBack(userId);
      throw limited('Too many applications from this address. Try again in an hour.', 3_600);
    }
    let counts = false;
    try {
      counts = (await send()).isNew;
    } finally {
      if (!counts) {
        this.#applicants.giveBack(userId);
        this.#applying.giveBack(network);
      }
    }
  }

  /** Counts a request of an overlay. @param key text that stands for its secret @throws Refusal RateLimited */
  countOverlay(key: string): void {
    if (!this.#take(this.#overlays, key)) throw limited('Too many requests. Try again in a few seconds.', 3);
  }

  #take(buckets: TokenBuckets, key: string): boolean {
    return buckets.take(key, this.#clock.now().getTime());
  }
}

const tooManyMails = (): Refusal =>
  limited('Several codes were already sent. Check your inbox, or try again in an hour.', 3_600);

const limited = (message: string, retryAfterSeconds: number): Refusal =>
  new Refusal('RateLimited', message, { retryAfterSeconds });
