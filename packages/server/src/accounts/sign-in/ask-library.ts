import { unavailability } from '../../platform/database/database-errors.ts';
import { Refusal, type RefusalCode } from '../../platform/refusal.ts';
import { type Auth, addressHeader, authPath } from './open-auth.ts';

/** Who asks, as the library is told. */
export interface Caller {
  origin: string;
  address: string;
  cookies: string;
  userAgent: string;
}

export interface Asked {
  method: 'GET' | 'POST';
  /** Below its own path: `/sign-in/email`. */
  path: string;
  body?: unknown;
}

export interface LibraryAnswer<Body = unknown> {
  /** Whoever asks knows what the path answers: the library's own documents say it, and nothing checks it. */
  body: Body;
  /** Whole Set-Cookie lines. */
  setCookies: string[];
  /** Where the browser is to go. */
  location: string | null;
}

/** What the library refuses, in our words. */
const refusals: Readonly<Record<string, readonly [RefusalCode, string]>> = {
  INVALID_EMAIL_OR_PASSWORD: ['Unauthorized', 'The address or the password is wrong.'],
  INVALID_EMAIL: ['Unauthorized', 'The address or the password is wrong.'],
  PASSWORD_TOO_LONG: ['Unauthorized', 'The address or the password is wrong.'],
  INVALID_PASSWORD: ['Unauthorized', 'The password is wrong.'],
  INVALID_CODE: ['Unauthorized', 'The code is wrong, or no longer good: take the one that is shown now.'],
  INVALID_BACKUP_CODE: ['Unauthorized', 'The code is wrong, or was used already.'],
  INVALID_TWO_FACTOR_COOKIE: ['Unauthorized', 'The sign-in took too long; begin with your password again.'],
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: [
    'RateLimited',
    'Too many wrong codes; begin with your password again.',
  ],
  ACCOUNT_TEMPORARILY_LOCKED: ['RateLimited', 'Too many wrong codes; try again in a quarter of an hour.'],
  TOTP_NOT_ENABLED: ['InvalidInput', 'No second factor is set up.'],
  TOTP_ALREADY_ENABLED: ['Conflict', 'A second factor is set up already; switch it off first.'],
  PASSKEY_NOT_FOUND: ['Unauthorized', 'No account has this passkey; sign in another way.'],
  CHALLENGE_NOT_FOUND: ['Unauthorized', 'The passkey took too long; try again.'],
  AUTHENTICATION_FAILED: ['Unauthorized', 'The passkey was not accepted; try again, or sign in another way.'],
  FAILED_TO_VERIFY_REGISTRATION: ['InvalidInput', 'The passkey could not be saved; try again.'],
};

/**
 * Asks the sign-in library what it would answer a browser.
 * @throws Refusal as the library refuses
 */
export async function askLibrary<Body = unknown>(
  auth: Auth,
  caller: Caller,
  asked: Asked,
): Promise<LibraryAnswer<Body>> {
  const headers = new Headers({
    origin: caller.origin,
    cookie: await auth.withOneSession(caller.cookies),
    'user-agent': caller.userAgent,
    [addressHeader]: caller.address,
  });
  if (asked.body !== undefined) headers.set('content-type', 'application/json');
  const response = await answerOf(
    auth,
    new Request(`${caller.origin}${authPath}${asked.path}`, {
      method: asked.method,
      headers,
      ...(asked.body !== undefined && { body: JSON.stringify(asked.body) }),
    }),
  );
  const text = await response.text();
  const body = text === '' ? null : parse(text);
  if (response.status >= 400) throw refusalOf(response.status, body);
  return {
    body: body as Body,
    setCookies: response.headers.getSetCookie(),
    location: response.headers.get('location'),
  };
}

/** @throws Refusal Unavailable for what the library did not expect, and what the database answers with */
async function answerOf(auth: Auth, request: Request): Promise<Response> {
  try {
    return await auth.handler(request);
  } catch (error) {
    if (error instanceof Refusal || unavailability(error) !== null) throw error;
    throw failed(error);
  }
}

const failed = (cause: unknown): Refusal =>
  new Refusal('Unavailable', 'Signing in does not work at this moment; try again in a few seconds.', {
    retryAfterSeconds: 3,
    cause,
  });

/** What it answers 4xx, and is its own failure. */
const ownFailures: ReadonlySet<string> = new Set(['FAILED_TO_CREATE_SESSION', 'FAILED_TO_GET_SESSION']);

function refusalOf(status: number, body: { code?: string; message?: string } | null): Refusal {
  const code = body?.code ?? '';
  const known = refusals[code];
  if (known !== undefined) return new Refusal(...known);
  if (status >= 500 || ownFailures.has(code))
    return failed(new Error(`the sign-in library answered ${status} ${code}`));
  if (status === 401) return new Refusal('Unauthorized', 'That did not sign you in; try again.');
  return new Refusal('InvalidInput', 'That could not be done; try again.');
}

function parse(text: string): { code?: string; message?: string } | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
