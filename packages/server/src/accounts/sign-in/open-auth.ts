import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import { newRowId } from '../../platform/ids.ts';
import { authAdapter } from './auth-adapter.ts';
import { cookiePrefix, isSecure } from './cookie-names.ts';
import { type OidcProvider, oidcPlugin } from './oidc-provider.ts';
import { withOneSession } from './sessions.ts';
import { passkeyColumns, tableNames, twoFactorColumns } from './table-names.ts';

/**
 * Base path configured in the library. Browsers only request the provider callback under this path; our code
 * calls the other paths.
 */
export const authPath = '/admin/v1/auth';

export interface AuthOptions {
  /** Database connection. If it is a transaction, the library's writes are part of its commit. */
  db: Db | Tx;
  /** Secret that signs cookies and encrypts the secrets of second factors. */
  secret: string;
  /** Origin of the dashboard: `https://host` or `http://localhost:8080`. */
  origin: string;
  providers: readonly OidcProvider[];
  clock: Clock;
}

/** Part of the library's API that we use. */
export interface Auth {
  handler(request: Request): Promise<Response>;
  readonly hasProvider: (id: string) => Promise<boolean>;
  /** Removes all session cookies except the first valid one. */
  withOneSession(cookies: string): Promise<string>;
  /** Decrypts a value that the library encrypted, such as the secret of a second factor. */
  readSealed(sealed: string): Promise<string>;
}

/** Maximum lifetime of a session and its cookie, regardless of use. */
export const sessionSeconds = 7 * 86_400;
export const minPasswordLength = 12;
export const maxPasswordLength = 128;

/**
 * Library paths that verify two factors at once: with a code after the password, or with a verified passkey.
 */
const secondFactors = new Set([
  '/two-factor/verify-totp',
  '/two-factor/verify-backup-code',
  '/passkey/verify-authentication',
]);

/**
 * Opens the sign-in library for one origin. The library is imported on the first sign-in, because most
 * processes only serve back ends.
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
    // The library's log lines would contain personal data and tokens.
    logger: { disabled: true },
    // sign-in-limits.ts counts attempts by address and by account.
    rateLimit: { enabled: false },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: minPasswordLength,
      maxPasswordLength: maxPasswordLength,
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
        // When a provider is linked, earlier unverified ways to sign in are deleted
        // (drop-unverified-sign-ins.ts).
        requireLocalEmailVerified: false,
        trustedProviders: providers.filter(({ trustsEmail }) => trustsEmail).map(({ id }) => id),
      },
    },
    advanced: {
      cookiePrefix: name,
      useSecureCookies: false, // the prefix and the attribute below have the same effect
      cookies: { session_token: { name } },
      defaultCookieAttributes: { secure: isSecure(origin), httpOnly: true, sameSite: 'lax', path: '/' },
      // The schema is checked once per process, not in each transaction.
      database: { generateId: () => newRowId(), ...(db.isTransaction && { validateSchema: false }) },
      ipAddress: { ipAddressHeaders: [addressHeader] },
    },
    // Unexpected errors are thrown, so that call-library.ts can handle them.
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
          // We only need the identity, not the provider's tokens.
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
              throw new APIError('UNAUTHORIZED', { message: 'The passkey did not verify its user.' });
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

/** Header that passes the client's address, as determined by our server, to the library. */
export const addressHeader = 'x-attribution-address';
