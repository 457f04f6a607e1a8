import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import { newRowId } from '../../platform/ids.ts';
import { authAdapter } from './auth-adapter.ts';
import { cookiePrefix, isSecure } from './cookie-names.ts';
import { type OidcProvider, oidcPlugin } from './oidc-provider.ts';
import { withOneSession } from './sessions.ts';
import { passkeyColumns, tableNames, twoFactorColumns } from './table-names.ts';

/** Below which path the library believes it is; only the way back from a provider is seen by anybody else. */
export const authPath = '/admin/v1/auth';

export interface AuthOptions {
  /** In a transaction, what the library writes is of its commit. */
  db: Db | Tx;
  /** Signs cookies, and seals the secrets of second factors. */
  secret: string;
  /** `https://host`, or `http://localhost:8080`. */
  origin: string;
  providers: readonly OidcProvider[];
  clock: Clock;
}

/** What of the library is used: it takes a request of the web and gives an answer. */
export interface Auth {
  handler(request: Request): Promise<Response>;
  readonly hasProvider: (id: string) => Promise<boolean>;
  /** Leaves of several session cookies the one that counts. */
  withOneSession(cookies: string): Promise<string>;
  /** @returns what the library has sealed, such as the secret of a second factor */
  readSealed(sealed: string): Promise<string>;
}

/** A session lives so long, whatever is done in it; the cookie too. */
export const sessionSeconds = 7 * 86_400;
export const shortestPassword = 12;
export const longestPassword = 128;

/** Ways in that show two things at once: something one has, and something one knows or is. */
const secondFactors = new Set([
  '/two-factor/verify-totp',
  '/two-factor/verify-backup-code',
  '/passkey/verify-authentication',
]);

/**
 * The library that signs people in, set up for one origin. It is loaded when the first person signs in: most processes
 * serve back ends alone.
 */
export async function openAuth({ db, secret, origin, providers, clock }: AuthOptions): Promise<Auth> {
  const [{ betterAuth }, { twoFactor }, { passkey }, { APIError }, { symmetricDecrypt }] = await Promise.all([
    import('better-auth'),
    import('better-auth/plugins/two-factor'),
    import('@better-auth/passkey'),
    import('better-auth/api'),
    import('better-auth/crypto'),
  ]);
  const name = cookiePrefix(origin);
  const auth = betterAuth({
    appName: 'Creator attribution',
    secret,
    baseURL: origin,
    basePath: authPath,
    trustedOrigins: [origin],
    database: await authAdapter(db),
    ...tableNames,
    telemetry: { enabled: false },
    // What it would say names people and tokens; what it answers is enough.
    logger: { disabled: true },
    // Counted by address and by account before it is asked (sign-in-limits.ts).
    rateLimit: { enabled: false },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: shortestPassword,
      maxPasswordLength: longestPassword,
    },
    session: {
      ...tableNames.session,
      expiresIn: sessionSeconds,
      disableSessionRefresh: true,
      freshAge: 0,
      cookieCache: { enabled: false },
      additionalFields: {
        hasSecondFactor: {
          type: 'boolean',
          fieldName: 'has_second_factor',
          defaultValue: false,
          input: false,
        },
      },
    },
    account: {
      ...tableNames.account,
      updateAccountOnSignIn: false,
      accountLinking: {
        enabled: true,
        // Whatever was there before is taken away then.
        requireLocalEmailVerified: false,
        trustedProviders: providers.filter(({ trustsEmail }) => trustsEmail).map(({ id }) => id),
      },
    },
    advanced: {
      cookiePrefix: name,
      useSecureCookies: false, // the name says it, and the attribute below
      cookies: { session_token: { name } },
      defaultCookieAttributes: { secure: isSecure(origin), httpOnly: true, sameSite: 'lax', path: '/' },
      // Looked at once a process, not in each transaction.
      database: { generateId: () => newRowId(), ...(db.isTransaction && { validateSchema: false }) },
      ipAddress: { ipAddressHeaders: [addressHeader] },
    },
    // What the library did not expect reaches our own answers (ask-library.ts).
    onAPIError: { errorURL: `${origin}/sign-in`, throw: true },
    databaseHooks: {
      session: {
        create: {
          before: async (session, context) => ({
            data: { ...session, hasSecondFactor: secondFactors.has(context?.path ?? '') },
          }),
        },
      },
      account: {
        create: {
          // Nothing is asked of a provider but who somebody is.
          before: async (account) => ({
            data: { ...account, accessToken: null, refreshToken: null, idToken: null, scope: null },
          }),
        },
      },
    },
    plugins: [
      twoFactor({ issuer: 'Creator attribution', allowPasswordless: true, schema: twoFactorColumns }),
      passkey({
        rpName: 'Creator attribution',
        rpID: new URL(origin).hostname,
        origin,
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        authentication: {
          async afterVerification({ verification }) {
            if (!verification.authenticationInfo.userVerified)
              throw new APIError('UNAUTHORIZED', { message: 'The passkey did not ask who you are.' });
          },
        },
        schema: passkeyColumns,
      }),
      ...(providers.length === 0 ? [] : [await oidcPlugin(providers)]),
    ],
  });
  const context = await auth.$context;
  return {
    handler: auth.handler,
    hasProvider: async (id) => context.socialProviders.some((provider) => provider.id === id),
    withOneSession: (cookies) => withOneSession(db, { cookies, origin, secret, now: clock.now() }),
    readSealed: (sealed) => symmetricDecrypt({ key: context.secretConfig, data: sealed }),
  };
}

/** How the library hears of a client's address, which our own server has found. */
export const addressHeader = 'x-attribution-address';
