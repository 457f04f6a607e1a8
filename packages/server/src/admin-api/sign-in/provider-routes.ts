import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { linkedMail } from '../../accounts/people/mails.ts';
import { callLibrary } from '../../accounts/sign-in/call-library.ts';
import type { SignIn } from '../../accounts/sign-in/create-sign-in.ts';
import { duringCallback, type ProviderCallback } from '../../accounts/sign-in/link-provider.ts';
import { unavailability } from '../../platform/database/database-errors.ts';
import { sendJson } from '../../platform/http/answers/error-answers.ts';
import type { App } from '../../platform/http/app-type.ts';
import { text } from '../../platform/http/schemas/schemas.ts';
import { closed } from '../../platform/inputs.ts';
import { Refusal, unavailable } from '../../platform/refusal.ts';
import { adminErrors } from '../schemas.ts';
import { callerOf, giveCookies, sourceOf } from './answer-browser.ts';
import { welcome } from './welcome.ts';

/** A place within the dashboard, and nowhere else. */
const ownPath = /^\/(?![/\\])[^\\\s]*$/;

/** Signing in at an OpenID Connect provider: there, and back. */
export function providerRoutes(app: App, signIn: SignIn): void {
  app.post(
    '/auth/sign-in/provider',
    {
      config: { staff: 'public' },
      schema: {
        operationId: 'beginProviderSignIn',
        summary: 'Where a browser goes to sign in at a provider',
        tags: ['Sign-in'],
        body: Type.Object(
          {
            provider: text(64, 'As `listWaysIn` names it.'),
            next: text(2_000, 'The path of the dashboard to come back to.'),
          },
          closed,
        ),
        response: { 200: Type.Object({ url: Type.String() }, { title: 'ProviderSignIn' }), ...adminErrors },
      },
    },
    async (request, reply) => {
      const caller = callerOf(signIn, request);
      signIn.limits.countAddress(caller.address);
      const { provider, next } = request.body;
      if (!signIn.providers.some(({ id }) => id === provider) || !ownPath.test(next))
        throw new Refusal('InvalidInput', 'There is no such provider, or no such page.');
      const auth = await signIn.authWith(caller.origin, provider);
      if (auth === null)
        throw unavailable('The provider does not answer; try again, or sign in another way.');
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
      giveCookies(reply, answer);
      return sendJson(reply, { url: answer.body.url });
    },
  );

  app.get(
    '/auth/callback/:provider',
    {
      config: { staff: 'public' },
      schema: {
        operationId: 'finishProviderSignIn',
        summary: 'Where a provider sends a browser back to',
        tags: ['Sign-in'],
        params: Type.Object({ provider: Type.String({ maxLength: 64 }) }),
        response: {
          303: Type.Null({ description: 'To the page that was asked for, or to /sign-in with the reason.' }),
          ...adminErrors,
        },
      },
    },
    async (request, reply) => {
      const { origin } = callerOf(signIn, request);
      try {
        return await comeBack(request, reply);
      } catch (error) {
        // A browser shows the answer as it is: a person reads the reason on the sign-in page.
        const reason = reasonOf(error);
        if (reason === null) throw error;
        signIn.log.warn({ err: error }, 'the way back from a provider ended at the sign-in page');
        return reply.redirect(`${origin}/sign-in?error=${reason}`, 303);
      }
    },
  );

  async function comeBack(request: BackRequest, reply: FastifyReply): Promise<FastifyReply> {
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
    const isIn = answer.location !== null && !answer.location.includes('error=');
    if (isIn) await welcome(signIn, request, reply, answer);
    else giveCookies(reply, answer);
    if (visit.linked !== null) {
      const { name } = signIn.providers.find(({ id }) => id === provider) ?? { name: provider };
      // A mail server that is slow keeps nobody from coming in.
      void signIn.sendMail(linkedMail(visit.linked.email, name));
    }
    return reply.redirect(answer.location ?? `${caller.origin}/sign-in?error=provider`, 303);
  }
}

type BackRequest = FastifyRequest<{ Params: { provider: string } }>;

/** Reason why a sign-in at a provider failed, as the sign-in page knows it; null for an unexpected one. */
function reasonOf(error: unknown): string | null {
  if (unavailability(error) !== null) return 'unavailable';
  if (!(error instanceof Refusal)) return null;
  if (error.code === 'Unavailable') return 'unavailable';
  return error.code === 'RateLimited' ? 'too_many_attempts' : 'provider';
}
