import { cookiePrefix, isSecure } from '../accounts/sign-in/cookie-names.ts';
import { readCookies } from '../accounts/sign-in/read-cookies.ts';
import { randomBase62 } from '../platform/ids.ts';
import { sessionDays } from './sessions.ts';

/** Cookies of the portal. Their names differ from those of the staff, so that neither is accepted by the other. */
const prefixAt = (origin: string): string => cookiePrefix(origin, 'creators');
const browserName = (origin: string): string => `${prefixAt(origin)}-browser`;

const tokenShape = /^[0-9A-Za-z]{40}$/;
const daySeconds = 86_400;

/** Returns the tokens of a request's session cookies. */
export const sessionTokens = (cookies: string, origin: string): string[] =>
  readCookies(cookies, prefixAt(origin)).filter((value) => tokenShape.test(value));

/** Returns a complete Set-Cookie header for a session. */
export const sessionCookie = (origin: string, token: string): string =>
  cookie(origin, prefixAt(origin), token, sessionDays * daySeconds);

/** Returns a complete Set-Cookie header that removes the session cookie. */
export const endedSessionCookie = (origin: string): string => cookie(origin, prefixAt(origin), '', 0);

/** Returns the secret that identifies the browser that requested a code; null if the browser has none yet. */
export const browserToken = (cookies: string, origin: string): string | null =>
  readCookies(cookies, browserName(origin)).find((value) => tokenShape.test(value)) ?? null;

export const newBrowserToken = (): string => randomBase62(40);

/** Returns a complete Set-Cookie header for the secret of a browser that requests a code. */
export const browserCookie = (origin: string, token: string): string =>
  cookie(origin, browserName(origin), token, daySeconds);

const cookie = (origin: string, name: string, value: string, maxAge: number): string =>
  `${name}=${value}; Max-Age=${maxAge}; Path=/; HttpOnly;${isSecure(origin) ? ' Secure;' : ''} SameSite=Lax`;
