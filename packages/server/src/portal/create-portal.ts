import type { Clock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import type { Db } from '../platform/database/database.ts';
import type { Mail } from '../platform/mail/send-mail.ts';
import type { Sealer } from '../platform/secrets/sealer.ts';
import { serviceSecretReader } from '../platform/secrets/service-secret.ts';
import type { Log } from '../platform/telemetry/log.ts';
import { deleteExpired } from './delete-expired.ts';
import { PortalLimits } from './portal-limits.ts';
import { openProviders, type ProviderUrls, providerUrls } from './providers/open-providers.ts';
import { visitsOf } from './providers/visit-provider.ts';
import { WaitingOverlays } from './stream-alert/waiting-overlays.ts';

export interface PortalDeps {
  config: Config;
  db: Db;
  /** Connections for reading sessions. */
  lookups: Db;
  /** Connections for work that belongs to no single request. */
  background: Db;
  sealer: Sealer;
  clock: Clock;
  log: Log;
  /** @returns whether a mail server accepted the email */
  sendMail(mail: Mail): Promise<boolean>;
  /** URLs of the providers, if they aren't the public ones. */
  providerUrls?: ProviderUrls | undefined;
}

export type Portal = ReturnType<typeof createPortal>;

/** Minimum time between two deletions of expired rows. Requests for codes trigger the deletions. */
const deleteEveryMs = 3_600_000;

/** Creates the parts that all requests to the creators' portal share. Does not query the database. */
export function createPortal(deps: PortalDeps) {
  const { config, db, lookups, background, sealer, clock, log, sendMail } = deps;
  const providers = openProviders(config, deps.providerUrls ?? providerUrls).map(visitsOf);
  let deletedAtMs = 0;
  return {
    db,
    lookups,
    sealer,
    clock,
    log,
    sendMail,
    /** URL that the links in emails start with; null if the portal is off. */
    url: config.portalUrl,
    /** Origin of the portal's pages; null if the portal is off. */
    origin: config.portalUrl === null ? null : new URL(config.portalUrl).origin,
    publicUrl: config.publicUrl,
    /** Providers that creators can sign in with, in the order of the buttons. */
    providers,
    limits: new PortalLimits(clock),
    /** Overlays of stream alerts that wait for purchases. */
    overlays: new WaitingOverlays(background, clock),
    /** Secret that hashes codes and signs the cookies of known browsers. */
    readSecret: serviceSecretReader(db, 'creator sign-in', sealer),
    /** Secret that finds the same address or account at other creators. */
    readFingerprints: serviceSecretReader(db, 'payee fingerprints', sealer),
    /** Deletes ended sessions and expired attempts, codes and invitations in the background, at most once an hour. */
    deleteExpired(): void {
      const now = clock.now();
      if (now.getTime() - deletedAtMs < deleteEveryMs) return;
      deletedAtMs = now.getTime();
      deleteExpired(db, now).catch((error: unknown) =>
        log.warn({ err: error }, "couldn't delete expired codes of creators"),
      );
    },
  };
}
