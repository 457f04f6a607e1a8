import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Audience, cookiePrefix, isSecure } from './cookie-names.ts';
import { readCookies } from './read-cookies.ts';

/**
 * Maximum number of accounts remembered per browser, since people may share a browser or have several
 * accounts.
 */
const maxAccounts = 4;
const rememberedDays = 180;
/** Pattern of an entry: its expiry in seconds since 1970, and the first 128 bits of its signature. */
const shape = /^(\d{10})-([A-Za-z0-9_-]{22})$/;

interface BrowserOfAccount {
  cookies: string;
  origin: string;
  audience?: Audience;
  /** Secret of the audience. For staff, it also signs sessions. */
  secret: string | Buffer;
  /** Email address, normalized as for storage. */
  email: string;
  now: Date;
}

/** Returns whether the browser has signed in to this account within the last 180 days. */
export const isKnownBrowser = ({ secret, email, ...browser }: BrowserOfAccount): boolean =>
  entriesOf(browser).some((entry) => isOf(entry, secret, email));

/**
 * Creates the cookie that marks a browser as known to an account. The cookie doesn't grant access. It only
 * gives the browser its own allowance of password attempts, which unauthenticated clients can't use up.
 * @returns a complete Set-Cookie header that also contains the browser's other accounts, up to four in total
 */
export function knownBrowserCookie({ secret, email, ...browser }: BrowserOfAccount): string {
  const { origin, now } = browser;
  const seconds = rememberedDays * 86_400;
  const endsAt = String(Math.floor(now.getTime() / 1_000) + seconds);
  const others = entriesOf(browser).filter((entry) => !isOf(entry, secret, email));
  const entries = [`${endsAt}-${signatureOf(endsAt, secret, email)}`, ...others].slice(0, maxAccounts);
  const secure = isSecure(origin) ? ' Secure;' : '';
  return `${nameOf(browser)}=${entries.join('.')}; Max-Age=${seconds}; Path=/; HttpOnly;${secure} SameSite=Lax`;
}

type Browser = Omit<BrowserOfAccount, 'secret' | 'email'>;

const nameOf = ({ origin, audience }: Browser): string => `${cookiePrefix(origin, audience)}-known`;

function entriesOf(browser: Browser): string[] {
  return readCookies(browser.cookies, nameOf(browser))
    .flatMap((value) => value.split('.', maxAccounts))
    .filter((entry) => Number(shape.exec(entry)?.[1] ?? 0) * 1_000 > browser.now.getTime());
}

function isOf(entry: string, secret: string | Buffer, email: string): boolean {
  const [, endsAt = '', signature = ''] = shape.exec(entry) ?? [];
  return timingSafeEqual(Buffer.from(signature), Buffer.from(signatureOf(endsAt, secret, email)));
}

/**
 * Signs an entry. No session token starts with the words that start the signed text, so neither kind of
 * signature can pass for the other.
 */
const signatureOf = (endsAt: string, secret: string | Buffer, email: string): string =>
  createHmac('sha256', secret)
    .update(`known browser\n${endsAt}\n${email.trim().toLowerCase()}`)
    .digest('base64url')
    .slice(0, 22);
