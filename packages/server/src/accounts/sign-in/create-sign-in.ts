import { boundedCache } from '../../platform/bounded-cache.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import type { Db } from '../../platform/database/database.ts';
import { type Mail, mailSender } from '../../platform/mail/send-mail.ts';
import type { Sealer } from '../../platform/secrets/sealer.ts';
import { serviceSecret } from '../../platform/secrets/service-secret.ts';
import type { Log } from '../../platform/telemetry/log.ts';
import type { OidcProvider } from './oidc-provider.ts';
import { type Auth, openAuth } from './open-auth.ts';
import { publicOrigin } from './public-origin.ts';
import { forgetEnded } from './sessions.ts';
import { SignInLimits } from './sign-in-limits.ts';

export interface SignInDeps {
  config: Config;
  db: Db;
  sealer: Sealer;
  clock: Clock;
  log: Log;
}

/** What signing in needs, made once a process. */
export type SignIn = ReturnType<typeof createSignIn>;

/** Without PUBLIC_URL each loopback name and port that a browser uses is an origin; tests use many. */
const maxOrigins = 16;
/** What has ended is refused at once, and taken away by whoever signs in. */
const forgetEveryMs = 3_600_000;

export function createSignIn({ config, db, sealer, clock, log }: SignInDeps) {
  const auths = boundedCache<Promise<Auth>>(maxOrigins);
  const providers = providersOf(config);
  const send = mailSender(config);
  let forgotAtMs = 0;
  let secret: Promise<string> | null = null;
  const readSecret = (): Promise<string> => {
    secret ??= serviceSecret(db, 'staff sessions', sealer).then(
      (bytes) => bytes.toString('base64'),
      (error: unknown) => {
        secret = null;
        throw error;
      },
    );
    return secret;
  };
  const open = (origin: string, which: readonly OidcProvider[]): Promise<Auth> => {
    const name = `${origin} ${which.length}`;
    const known = auths.get(name);
    if (known !== undefined) return known;
    const opened = readSecret().then((read) =>
      openAuth({ db, secret: read, origin, providers: which, clock }),
    );
    auths.set(name, opened);
    opened.catch(() => auths.delete(name));
    return opened;
  };

  return {
    db,
    clock,
    log,
    providers,
    limits: new SignInLimits(clock),
    /** Whether mail is sent; links are shown where it is not. */
    hasMail: send !== null,
    publicUrl: config.publicUrl,
    port: config.port,
    /** @returns whether mail was handed in; what it told of stands either way */
    async mailed(mail: Mail): Promise<boolean> {
      if (send === null) return false;
      try {
        await send(mail);
        return true;
      } catch (error) {
        log.warn(
          { reason: error instanceof Error ? error.message : String(error) },
          'mail could not be sent',
        );
        return false;
      }
    },
    originAt: (host: string | undefined) => publicOrigin(config.publicUrl, host),
    readSecret,
    auth(origin: string): Promise<Auth> {
      const now = clock.now().getTime();
      if (now - forgotAtMs >= forgetEveryMs) {
        forgotAtMs = now;
        forgetEnded(db, clock.now()).catch((error: unknown) =>
          log.warn({ err: error }, 'sessions that have ended could not be taken away'),
        );
      }
      return open(origin, []);
    },
    /** The same, for the way to a provider and back: it has to answer first. null where it does not. */
    async authWith(origin: string, providerId: string): Promise<Auth | null> {
      const auth = await open(origin, providers);
      if (await auth.hasProvider(providerId)) return auth;
      auths.delete(`${origin} ${providers.length}`); // asked anew the next time
      return null;
    },
  };
}

function providersOf(config: Config): readonly OidcProvider[] {
  if (config.oidcIssuer === null) return [];
  return [
    {
      id: 'oidc',
      name: config.oidcName,
      issuer: config.oidcIssuer,
      clientId: config.oidcClientId,
      clientSecret: config.oidcClientSecret,
      trustsEmail: config.oidcTrustEmail,
    },
  ];
}
