import type { FastifyRequest } from 'fastify';
import { refuseOtherOrigin } from '../accounts/sign-in/refuse-cross-site.ts';
import type { App } from '../platform/http/app-type.ts';
import { holdsNul } from '../platform/http/holds-nul.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Portal } from './create-portal.ts';
import { type OwnAccount, readOwnAccounts, readPublishersOf } from './own-accounts.ts';
import { sessionTokens } from './portal-cookies.ts';
import { type PortalSession, readSession } from './sessions.ts';
import { type FoundAlert, keyOf } from './stream-alert/find-alert.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Access that an operation of the creators' portal requires: accounts at the publisher in the query, a signed-in
     * person, the secret of a stream alert, or nothing (`public`, for operations such as signing in).
     */
    portal?: 'publisher' | 'signed-in' | 'alert' | 'public';
  }
}

const sessions = new WeakMap<FastifyRequest, PortalSession>();
const accountsHere = new WeakMap<FastifyRequest, readonly OwnAccount[]>();
const alerts = new WeakMap<FastifyRequest, FoundAlert>();

/** Returns the session of a request to an operation that requires one. */
export function sessionOf(request: FastifyRequest): PortalSession {
  const session = sessions.get(request);
  if (session === undefined) throw new Error("the route doesn't require a session");
  return session;
}

/** Returns the session's accounts that are members of the publisher in the query. There is at least one. */
export function accountsOf(request: FastifyRequest): readonly OwnAccount[] {
  const accounts = accountsHere.get(request);
  if (accounts === undefined) throw new Error("the route doesn't require a publisher");
  return accounts;
}

/** Returns the stream alert whose secret a request contains. */
export function alertOf(request: FastifyRequest): FoundAlert {
  const alert = alerts.get(request);
  if (alert === undefined) throw new Error("the route doesn't require a secret");
  return alert;
}

/** Authenticates the requests of a scope before their bodies are read. Every route of the scope must set `portal`. */
export function requirePortal(app: App, portal: Portal): void {
  // A route without `portal` would be public.
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.portal === undefined && method !== 'HEAD')
      throw new Error(`${String(method)} ${url} must set config.portal`);
  });
  app.addHook('onRequest', async (request) => {
    const { portal: required, fromAnySite } = request.routeOptions.config ?? {};
    const origin = requireOn(portal);
    if (fromAnySite !== true) refuseOtherOrigin(origin, 'portal', request);
    if (holdsNul(request.params))
      throw new Refusal('NotFound', 'The path contains an id that does not exist.');
    if (holdsNul(request.query)) throw unstorable('query');
    if (required === 'public') return;
    if (required === 'alert') return requireAlert(portal, request);
    const session = await findSession(portal, request);
    if (session === null) throw new Refusal('Unauthorized', 'Sign in first.');
    portal.limits.countRequest(session.userId);
    sessions.set(request, session);
    if (required === 'publisher') await requireAccounts(portal, request, session);
  });
  app.addHook('preValidation', ({ body }, _reply, done) =>
    done(holdsNul(body) ? unstorable('body') : undefined),
  );
}

/** Returns the portal's origin. @throws Refusal NotFound if the portal is off */
export function requireOn({ origin }: Pick<Portal, 'origin'>): string {
  if (origin === null)
    throw new Refusal(
      'NotFound',
      "The creators' portal is off. The operator can turn it on with PORTAL_URL.",
    );
  return origin;
}

/** Returns the session of a request, also on public routes; null if there is none. */
export function findSession(
  portal: Pick<Portal, 'origin' | 'lookups' | 'clock'>,
  { headers }: FastifyRequest,
): Promise<PortalSession | null> {
  const tokens = sessionTokens(headers.cookie ?? '', requireOn(portal));
  return readSession(portal.lookups, tokens, portal.clock.now());
}

async function requireAccounts(
  { lookups }: Portal,
  request: FastifyRequest,
  { userId }: PortalSession,
): Promise<void> {
  const { publisher: publisherId } = request.query as { publisher?: unknown };
  if (typeof publisherId !== 'string') return; // the schema rejects it
  const accounts = await readOwnAccounts(lookups, userId);
  const publishers = await readPublishersOf(
    lookups,
    accounts.map(({ accountId }) => accountId),
  );
  const here = accounts.filter(({ accountId }) =>
    publishers.get(accountId)?.some((each) => each.publisherId === publisherId),
  );
  if (here.length === 0)
    throw new Refusal('NotFound', 'None of your creator accounts belongs to this publisher.');
  request.creatorTenant = publisherId;
  accountsHere.set(request, here);
}

async function requireAlert({ lookups, overlays, limits }: Portal, request: FastifyRequest): Promise<void> {
  const alert = await overlays.find(lookups, request.headers.authorization);
  limits.countOverlay(keyOf(alert.secretHash));
  request.creatorTenant = alert.publisherId;
  alerts.set(request, alert);
}

const unstorable = (where: 'query' | 'body'): Refusal =>
  new Refusal('InvalidInput', `The ${where} contains the character U+0000. Remove it.`);
