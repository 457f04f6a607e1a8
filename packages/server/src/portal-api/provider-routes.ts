import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { unavailability } from '../platform/database/database-errors.ts';
import type { App } from '../platform/http/app-type.ts';
import { text } from '../platform/http/schemas/schemas.ts';
import { randomBase62 } from '../platform/ids.ts';
import { closed } from '../platform/inputs.ts';
import { Refusal, unavailable } from '../platform/refusal.ts';
import { createAttempt, takeAttempt } from '../portal/attempts.ts';
import type { Portal } from '../portal/create-portal.ts';
import { browserCookie, browserToken, newBrowserToken } from '../portal/portal-cookies.ts';
import { addProviderAccount } from '../portal/providers/add-provider-account.ts';
import { type ProviderAccount, ProviderRefusal, type VisitProblem } from '../portal/providers/provider.ts';
import { signInWithProvider } from '../portal/providers/sign-in-with-provider.ts';
import type { ProviderVisits, Visit } from '../portal/providers/visit-provider.ts';
import { findSession, requireOn } from '../portal/require-portal.ts';
import { confirmAddition } from '../portal/sign-in-methods/confirm-addition.ts';
import { sendSession, signingBrowser, sourceOf } from './browser-of.ts';
import { portalOperations } from './portal-operations.ts';
import { changingSession, confirmationCode, tellOfChange } from './sign-in-method-routes.ts';

/** Provider's id, as `listProviders` returns it. */
const providerId = text(30, "Provider's id, such as `twitch`, from the list of providers.");
const visit = Type.Object(
  { url: Type.String({ description: 'Page of the provider that the browser opens next.' }) },
  { title: 'ProviderVisit' },
);

/** Registers the visits to providers. A visit ends at the callback, which sends the browser back to a page of the portal. */
export function providerRoutes(app: App, portal: Portal): void {
  const operation = portalOperations(app, 'Sign-in');
  const { db, clock, limits } = portal;
  operation(
    ['get', '/auth/providers', 'listProviders'],
    {
      of: 'public',
      summary: 'List the providers that creators can sign in with',
      description: 'In the order of the buttons. Empty if no provider is set up.',
      answer: Type.Object(
        {
          rows: Type.Array(Type.Object({ provider: providerId, name: Type.String() }, { title: 'Provider' })),
        },
        { title: 'Providers' },
      ),
    },
    () => ({ rows: portal.providers.map(({ id, name }) => ({ provider: id, name })) }),
  );

  operation(
    ['post', '/auth/provider-visits', 'beginProviderSignIn'],
    {
      of: 'public',
      summary: 'Start signing in with a provider',
      description:
        'Works only for an account that a person has added to their sign-in methods. The provider sends the browser back to the sign-in page, which explains a failure.',
      body: Type.Object({ provider: providerId }, closed),
      answer: visit,
    },
    async (request, reply) => {
      limits.countAttempt(request.ip);
      portal.deleteExpired();
      const begun = await beginVisit(portal, request, reply, request.body.provider);
      await createAttempt(db, begun.attempt, null, clock.now());
      return { url: begun.url };
    },
  );

  operation(
    ['post', '/sign-in-methods/provider-visits', 'addProvider'],
    {
      of: 'signed-in',
      summary: 'Start adding an account at a provider to the sign-in methods, with an emailed code',
      description: 'Uses up the code. The provider sends the browser back to the page for sign-in methods.',
      body: Type.Object({ provider: providerId, code: confirmationCode }, closed),
      answer: visit,
    },
    async (request, reply) => {
      limits.countAttempt(request.ip);
      const { provider, code } = request.body;
      const begun = await beginVisit(portal, request, reply, provider);
      const session = await changingSession(portal, request);
      await confirmAddition(db, session, { adds: provider, code }, begun.attempt);
      return { url: begun.url };
    },
  );

  // Not in the document: only a provider's page sends a browser here, with parameters of its own.
  app.get<{ Params: { provider: string } }>(
    '/auth/providers/:provider/callback',
    { config: { portal: 'public' }, schema: { hide: true } },
    async (request, reply) => {
      reply.header('cache-control', 'no-store');
      return reply.redirect(await finishVisit(portal, request, reply), 303);
    },
  );
}

/** Returns the provider's page, and the attempt to store. @throws Refusal InvalidInput, Unavailable */
async function beginVisit(portal: Portal, request: FastifyRequest, reply: FastifyReply, id: string) {
  const origin = requireOn(portal);
  const provider = portal.providers.find((each) => each.id === id);
  if (provider === undefined)
    throw new Refusal(
      'InvalidInput',
      "Creators can't sign in with this provider. Reload the page to see which ones are available.",
      { path: ['provider'] },
    );
  const browser = browserToken(request.headers.cookie ?? '', origin) ?? newBrowserToken();
  const begun = await visitOf(portal, provider, randomBase62(40));
  let url: string;
  try {
    url = await provider.urlOf(begun);
  } catch (error) {
    logProblem(portal, provider, error);
    throw unavailable(
      `${provider.name} is not responding. Try again later, or sign in with an emailed code.`,
    );
  }
  reply.header('set-cookie', browserCookie(origin, browser));
  return { url, attempt: { secret: begun.state, method: provider.id, browser } };
}

const visitOf = async (portal: Portal, { id }: ProviderVisits, state: string): Promise<Visit> => ({
  state,
  secret: await portal.readSecret(),
  redirectUri: `${requireOn(portal)}/portal/v1/auth/providers/${id}/callback`,
});

type CallbackRequest = FastifyRequest<{ Params: { provider: string } }>;

/** Ends a visit. @returns the URL of the portal's page that the browser opens next */
async function finishVisit(portal: Portal, request: CallbackRequest, reply: FastifyReply): Promise<string> {
  const url = portal.url ?? '';
  const provider = portal.providers.find(({ id }) => id === request.params.provider);
  const query = new URLSearchParams(request.url.split('?', 2)[1] ?? '');
  let page = 'enter';
  try {
    portal.limits.countAttempt(request.ip);
    if (provider === undefined) throw new ProviderRefusal('expired');
    const state = query.get('state') ?? '';
    const browser = browserToken(request.headers.cookie ?? '', requireOn(portal)) ?? '';
    const attempt = { secret: state, method: provider.id, browser };
    const taken = await takeAttempt(portal.db, attempt, portal.clock.now());
    if (taken === undefined) throw new ProviderRefusal('expired');
    if (taken.sessionId !== null) page = 'sign-in';
    const account = await provider.finish(await visitOf(portal, provider, state), query);
    if (taken.sessionId === null) {
      await signIn(portal, request, reply, { provider, account });
      return url;
    }
    const outcome = await add(portal, request, { sessionId: taken.sessionId, provider, account });
    return `${url}/sign-in?${outcome}=${provider.id}`;
  } catch (error) {
    const problem = problemOf(error);
    if (problem === null) throw error;
    if (provider !== undefined) logProblem(portal, provider, error);
    // The sign-in page sends a person who is signed in to Home, without the reason.
    if ((await findSession(portal, request)) !== null) page = 'sign-in';
    const named = provider === undefined ? {} : { provider: provider.id };
    return `${url}/${page}?${new URLSearchParams({ problem, ...named })}`;
  }
}

async function signIn(
  portal: Portal,
  request: FastifyRequest,
  reply: FastifyReply,
  { provider, account }: Pick<Added, 'provider' | 'account'>,
): Promise<void> {
  const from = signingBrowser(portal, request);
  const known = { ...account, provider: provider.id };
  const signedIn = await signInWithProvider(portal.db, known, from, portal.clock.now());
  await sendSession(portal, request, reply, signedIn);
}

interface Added {
  sessionId: string;
  provider: ProviderVisits;
  account: ProviderAccount;
}

/** Adds the account for the person whose session began the visit, if the session still belongs to this browser. */
async function add(
  portal: Portal,
  request: FastifyRequest,
  { sessionId, provider, account }: Added,
): Promise<'added' | 'kept'> {
  const session = await findSession(portal, request);
  if (session?.sessionId !== sessionId) throw new ProviderRefusal('expired');
  const { userId } = session;
  const source = sourceOf(request);
  const addition = { userId, provider: provider.id, source, now: portal.clock.now() };
  if (!(await addProviderAccount(portal.db, account, addition))) return 'kept';
  const named = account.name === null ? 'an account' : `the account ${account.name}`;
  const change = `You can now sign in with ${named} at ${provider.name}.`;
  tellOfChange(portal, session, change);
  return 'added';
}

/** Returns what the portal's page explains; null for an unexpected error. */
function problemOf(error: unknown): VisitProblem | 'limited' | null {
  if (error instanceof ProviderRefusal) return error.problem;
  if (error instanceof Refusal && error.code === 'RateLimited') return 'limited';
  return unavailability(error) !== null ? 'unavailable' : null;
}

/** Logs why a visit failed. The errors themselves may contain tokens or what the provider sent. */
function logProblem({ log }: Portal, { id: provider }: ProviderVisits, error: unknown): void {
  if (!(error instanceof ProviderRefusal)) return;
  const { problem, cause } = error;
  if (['denied', 'expired', 'unknown', 'taken', 'no-channel', 'too-many'].includes(problem)) return;
  const { message, code } = (cause ?? {}) as { message?: string; code?: string };
  log.warn(
    { provider, problem, reason: message?.slice(0, 200), code },
    "a creator's visit to a provider failed",
  );
}
