import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { linkedMail } from '../../accounts/people/mails.ts';
import { callLibrary } from '../../accounts/sign-in/call-library.ts';
import type { SignIn } from '../../accounts/sign-in/create-sign-in.ts';
import { duringCallback, type ProviderCallback } from '../../accounts/sign-in/link-provider.ts';
import { unavailability } from '../../platform/database/database-errors.ts';
import type { App } from '../../platform/http/app-type.ts';
import { text } from '../../platform/http/schemas/schemas.ts';
import { closed } from '../../platform/inputs.ts';
import { Refusal, unavailable } from '../../platform/refusal.ts';
import { adminOperations } from '../admin-operations.ts';
import { callerOf, forwardCookies, sourceOf } from './answer-browser.ts';
import { startSession } from './start-session.ts';

/** Paths in the dashboard. Accepting other targets would create an open redirect. */
const ownPath = /^\/(?![/\\])[^\\\s]*$/;

export function providerRoutes(app: App, signIn: SignIn): void {
  const { operation, rawOperation } = adminOperations(app, 'Sign-in');
  operation(
    ['post', '/auth/sign-in/provider', 'beginProviderSignIn'],
    {
      may: 'public',
      summary: 'Start signing in with a provider',
      body: Type.Object(
        {
          provider: text(64, 'Id of the provider, from `listSignInMethods`.'),
          next: text(2_000, 'Dashboard path to return to.'),
        },
        closed,
      ),
      answer: Type.Object({ url: Type.String() }, { title: 'ProviderSignIn' }),
    },
    async (request, reply) => {
      const caller = callerOf(signIn, request);
      signIn.limits.countAddress(caller.address);
      const { provider, next } = request.body;
      if (!signIn.providers.some(({ id }) => id === provider) || !ownPath.test(next))
        throw new Refusal(
          'InvalidInput',
          'The provider or the page is unknown. Start again from the sign-in page.',
        );
      const auth = await signIn.authWith(caller.origin, provider);
      if (auth === null)
        throw unavailable('The provider is not responding. Try again, or sign in another way.');
      const answer = await callLibrary<{ url: string }>(auth, caller, {
        method: 'POST',
        path: '/sign-in/social',
        body: {
          provider,
          callbackURL: `${caller.origin}${next}`,
          errorCallbackURL: `${caller.origin}/sign-in`,
          disableRedirect: true,
        },
      });
      forwardCookies(reply, answer);
      return { url: answer.body.url };
    },
  );

  rawOperation(
    ['get', '/auth/callback/:provider', 'finishProviderSignIn'],
    {
      may: 'public',
      summary: 'Finish signing in with a provider',
      path: { provider: Type.String({ maxLength: 64 }) },
      takesOtherQuery: true,
      answers: {
        303: Type.Null({ description: 'Redirect to the requested page, or to /sign-in with the reason.' }),
      },
    },
    async (request, reply) => {
      const { origin } = callerOf(signIn, request);
      try {
        return await finish(request, reply);
      } catch (error) {
        // The browser would show the raw response, so redirect it to the sign-in page, which shows the
        // reason.
        const reason = reasonOf(error);
        if (reason === null) throw error;
        signIn.log.warn({ err: error }, 'signing in with a provider failed');
        return reply.redirect(`${origin}/sign-in?error=${reason}`, 303);
      }
    },
  );

  async function finish(request: CallbackRequest, reply: FastifyReply): Promise<FastifyReply> {
    const caller = callerOf(signIn, request);
    signIn.limits.countAddress(caller.address);
    const { provider } = request.params;
    const isKnown = signIn.providers.some(({ id }) => id === provider);
    const auth = isKnown ? await signIn.authWith(caller.origin, provider) : null;
    if (auth === null) return reply.redirect(`${caller.origin}/sign-in?error=provider`, 303);
    const query = request.url.slice(request.url.indexOf('?') + 1);
    const visit: ProviderCallback = { source: sourceOf(request), linked: null };
    const answer = await duringCallback(visit, () =>
      callLibrary(auth, caller, {
        method: 'GET',
        path: `/callback/${provider}?${request.url.includes('?') ? query : ''}`,
      }),
    );
    const isSignedIn = answer.location !== null && !answer.location.includes('error=');
    if (isSignedIn) await startSession(signIn, request, reply, answer);
    else forwardCookies(reply, answer);
    if (visit.linked !== null) {
      const { name } = signIn.providers.find(({ id }) => id === provider) ?? { name: provider };
      // Not awaited, so that a slow mail server does not delay the sign-in.
      void signIn.sendMail(linkedMail(visit.linked.email, name));
    }
    return reply.redirect(answer.location ?? `${caller.origin}/sign-in?error=provider`, 303);
  }
}

type CallbackRequest = FastifyRequest<{ Params: { provider: string } }>;

/** Returns the sign-in page's code for a provider sign-in error; null for an unexpected error. */
function reasonOf(error: unknown): string | null {
  if (unavailability(error) !== null) return 'unavailable';
  if (!(error instanceof Refusal)) return null;
  if (error.code === 'Unavailable') return 'unavailable';
  return error.code === 'RateLimited' ? 'too_many_attempts' : 'provider';
}
