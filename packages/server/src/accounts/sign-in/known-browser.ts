import { createHmac, timingSafeEqual } from 'node:crypto';
import { cookiePrefix, isSecure } from './cookie-names.ts';
import { readCookies } from './read-cookies.ts';

/** People of one browser, and accounts of one person. */
const maxAccounts = 4;
const keptDays = 180;
/** When it ends, in seconds since 1970, and the first 128 bits of the signature. */
const shape = /^(\d{10})-([A-Za-z0-9_-]{22})$/;

interface BrowserOfAccount {
  /** The request's Cookie header. */
  cookies: string;
  origin: string;
  /** The one that signs sessions. */
  secret: string;
  /** The account's address of mail, as stored. */
  email: string;
  now: Date;
}

/** @returns whether the browser has signed in to the account before: within half a year, and not in another's name */
export const isKnownBrowser = ({ cookies, origin, secret, email, now }: BrowserOfAccount): boolean =>
  entriesOf(cookies, origin, now).some((entry) => isOf(entry, secret, email));

/**
 * Makes the cookie that a browser gets when it signs in to an account. It opens nothing: it gives further attempts at
 * the password, when strangers have used up theirs.
 * @returns a whole Set-Cookie line; the accounts that the browser knows already stay in it, four in all
 */
export function knownBrowserCookie({ cookies, origin, secret, email, now }: BrowserOfAccount): string {
  const seconds = keptDays * 86_400;
  const endsAt = String(Math.floor(now.getTime() / 1_000) + seconds);
  const others = entriesOf(cookies, origin, now).filter((entry) => !isOf(entry, secret, email));
  const entries = [`${endsAt}-${signatureOf(endsAt, secret, email)}`, ...others].slice(0, maxAccounts);
  const secure = isSecure(origin) ? ' Secure;' : '';
  return `${nameAt(origin)}=${entries.join('.')}; Max-Age=${seconds}; Path=/; HttpOnly;${secure} SameSite=Lax`;
}

const nameAt = (origin: string): string => `${cookiePrefix(origin)}-known`;

function entriesOf(cookies: string, origin: string, now: Date): string[] {
  return readCookies(cookies, nameAt(origin))
    .flatMap((value) => value.split('.', maxAccounts))
    .filter((entry) => Number(shape.exec(entry)?.[1] ?? 0) * 1_000 > now.getTime());
}

function isOf(entry: string, secret: string, email: string): boolean {
  const [, endsAt = '', signature = ''] = shape.exec(entry) ?? [];
  return timingSafeEqual(Buffer.from(signature), Buffer.from(signatureOf(endsAt, secret, email)));
}

/** No session's token begins like this, so that neither signature stands for the other. */
const signatureOf = (endsAt: string, secret: string, email: string): string =>
  createHmac('sha256', secret)
    .update(`known browser\n${endsAt}\n${email.trim().toLowerCase()}`)
    .digest('base64url')
    .slice(0, 22);
