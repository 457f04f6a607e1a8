import { boundedCache } from '../../platform/bounded-cache.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import type { Db } from '../../platform/database/database.ts';
import { type Mail, mailSender } from '../../platform/mail/send-mail.ts';
import type { Sealer } from '../../platform/secrets/sealer.ts';
import { serviceSecretReader } from '../../platform/secrets/service-secret.ts';
import type { Log } from '../../platform/telemetry/log.ts';
import type { OidcProvider } from './oidc-provider.ts';
import { type Auth, openAuth } from './open-auth.ts';
import { publicOrigin } from './public-origin.ts';
import { deleteEndedSessions } from './sessions.ts';
import { SignInLimits } from './sign-in-limits.ts';

export interface SignInDeps {
  config: Config;
  db: Db;
  sealer: Sealer;
  clock: Clock;
  log: Log;
}

export type SignIn = ReturnType<typeof createSignIn>;

/** Maximum number of cached library instances. Without PUBLIC_URL, each loopback name and port is a separate origin. */
const maxOrigins = 16;
/** Minimum time between two deletions of ended sessions. Sign-ins trigger the deletions. */
const deleteEndedEveryMs = 3_600_000;

export function createSignIn({ config, db, sealer, clock, log }: SignInDeps) {
  const auths = boundedCache<Promise<Auth>>(maxOrigins);
  const providers = providersOf(config);
  const send = mailSender(config);
  let deletedEndedAtMs = 0;
  const readBytes = serviceSecretReader(db, 'staff sessions', sealer);
  const readSecret = async (): Promise<string> => (await readBytes()).toString('base64');
  const open = (origin: string, withProviders: readonly OidcProvider[]): Promise<Auth> => {
    const key = `${origin} ${withProviders.length}`;
    const cached = auths.get(key);
    if (cached !== undefined) return cached;
    const opened = readSecret().then((read) =>
      openAuth({ db, secret: read, origin, providers: withProviders, clock }),
    );
    auths.set(key, opened);
    opened.catch(() => auths.delete(key));
    return opened;
  };

  return {
    db,
    clock,
    log,
    providers,
    limits: new SignInLimits(clock),
    /** False if no mail server is configured. Links are then shown on the screen instead. */
    hasMail: send !== null,
    publicUrl: config.publicUrl,
    port: config.port,
    /**
     * A failure is only logged, because the change that the email reports is already committed.
     * @returns whether a mail server accepted the email
     */
    async sendMail(mail: Mail): Promise<boolean> {
      if (send === null) return false;
      try {
        await send(mail);
        return true;
      } catch (error) {
        log.warn({ reason: error instanceof Error ? error.message : String(error) }, "couldn't send mail");
        return false;
      }
    },
    originAt: (host: string | undefined) => publicOrigin(config.publicUrl, host),
    readSecret,
    auth(origin: string): Promise<Auth> {
      const now = clock.now().getTime();
      if (now - deletedEndedAtMs >= deleteEndedEveryMs) {
        deletedEndedAtMs = now;
        deleteEndedSessions(db, clock.now()).catch((error: unknown) =>
          log.warn({ err: error }, "couldn't delete ended sessions"),
        );
      }
      return open(origin, []);
    },
    /**
     * Contacts the providers, then creates a library instance that uses them.
     * @returns null if the requested provider doesn't respond
     */
    async authWith(origin: string, providerId: string): Promise<Auth | null> {
      const auth = await open(origin, providers);
      if (await auth.hasProvider(providerId)) return auth;
      auths.delete(`${origin} ${providers.length}`); // so that the next sign-in retries
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
