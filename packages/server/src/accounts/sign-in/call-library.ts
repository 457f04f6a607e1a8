import { unavailability } from '../../platform/database/database-errors.ts';
import { Refusal, type RefusalCode } from '../../platform/refusal.ts';
import { type Auth, addressHeader, authPath } from './open-auth.ts';

/** Browser for which the library is called. */
export interface Caller {
  origin: string;
  address: string;
  cookies: string;
  userAgent: string;
}

export interface LibraryCall {
  method: 'GET' | 'POST';
  /** Path relative to the library's base path, such as `/sign-in/email`. */
  path: string;
  body?: unknown;
}

export interface LibraryResponse<Body = unknown> {
  /** Body as the library documents it for the path. Not type-checked. */
  body: Body;
  /** Complete Set-Cookie headers. */
  setCookies: string[];
  location: string | null;
}

/** Our code and message for each of the library's error codes. */
const refusals: Readonly<Record<string, readonly [RefusalCode, string]>> = {
  INVALID_EMAIL_OR_PASSWORD: ['Unauthorized', 'The email address or the password is wrong.'],
  INVALID_EMAIL: ['Unauthorized', 'The email address or the password is wrong.'],
  PASSWORD_TOO_LONG: ['Unauthorized', 'The email address or the password is wrong.'],
  INVALID_PASSWORD: ['Unauthorized', 'The password is wrong.'],
  INVALID_CODE: ['Unauthorized', 'The code is wrong or has expired. Enter the code that your app shows now.'],
  INVALID_BACKUP_CODE: ['Unauthorized', 'The code is wrong or was already used.'],
  INVALID_TWO_FACTOR_COOKIE: ['Unauthorized', 'The sign-in took too long. Enter your password again.'],
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: ['RateLimited', 'Too many wrong codes. Enter your password again.'],
  ACCOUNT_TEMPORARILY_LOCKED: ['RateLimited', 'Too many wrong codes. Try again in 15 minutes.'],
  TOTP_NOT_ENABLED: ['InvalidInput', 'No second factor is set up.'],
  TOTP_ALREADY_ENABLED: ['Conflict', 'A second factor is already set up. Turn it off first.'],
  PASSKEY_NOT_FOUND: ['Unauthorized', 'No account has this passkey. Sign in another way.'],
  CHALLENGE_NOT_FOUND: ['Unauthorized', 'The passkey took too long. Try again.'],
  AUTHENTICATION_FAILED: ['Unauthorized', "The passkey wasn't accepted. Try again, or sign in another way."],
  FAILED_TO_VERIFY_REGISTRATION: ['InvalidInput', "Couldn't save the passkey. Try again."],
};

/**
 * Sends a request to the sign-in library, as a browser would.
 * @throws Refusal if the library returns an error
 */
export async function callLibrary<Body = unknown>(
  auth: Auth,
  caller: Caller,
  call: LibraryCall,
): Promise<LibraryResponse<Body>> {
  const headers = new Headers({
    origin: caller.origin,
    cookie: await auth.withOneSession(caller.cookies),
    'user-agent': caller.userAgent,
    [addressHeader]: caller.address,
  });
  if (call.body !== undefined) headers.set('content-type', 'application/json');
  const response = await respond(
    auth,
    new Request(`${caller.origin}${authPath}${call.path}`, {
      method: call.method,
      headers,
      ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
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

/** @throws Refusal Unavailable for an unexpected library error; rethrows errors of an unavailable database */
async function respond(auth: Auth, request: Request): Promise<Response> {
  try {
    return await auth.handler(request);
  } catch (error) {
    if (error instanceof Refusal || unavailability(error) !== null) throw error;
    throw failed(error);
  }
}

const failed = (cause: unknown): Refusal =>
  new Refusal(
    'Unavailable',
    "Couldn't sign you in because of a temporary problem. Try again in a few seconds.",
    {
      retryAfterSeconds: 3,
      cause,
    },
  );

/** Error codes that the library sends with a 4xx status even though the failure is its own. */
const ownFailures: ReadonlySet<string> = new Set(['FAILED_TO_CREATE_SESSION', 'FAILED_TO_GET_SESSION']);

function refusalOf(status: number, body: { code?: string; message?: string } | null): Refusal {
  const code = body?.code ?? '';
  const known = refusals[code];
  if (known !== undefined) return new Refusal(...known);
  if (status >= 500 || ownFailures.has(code))
    return failed(new Error(`the sign-in library responded with ${status} ${code}`));
  if (status === 401) return new Refusal('Unauthorized', "Couldn't sign you in. Try again.");
  return new Refusal('InvalidInput', "Couldn't complete the request. Try again.");
}

function parse(text: string): { code?: string; message?: string } | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
