import type { FastifyRequest } from 'fastify';
import type { SignIn } from '../../accounts/sign-in/create-sign-in.ts';
import { endSession, readSession } from '../../accounts/sign-in/sessions.ts';

/** Ends the session that a browser had when it signed in anew: its cookie is gone, and nobody would end it. */
export async function endOtherSession(signIn: SignIn, request: FastifyRequest): Promise<void> {
  const origin = signIn.originAt(request.headers.host);
  if (origin === null || request.headers.cookie === undefined) return;
  const before = await readSession(signIn.db, {
    cookies: request.headers.cookie,
    origin,
    secret: await signIn.readSecret(),
    now: signIn.clock.now(),
  });
  if (before !== null) await endSession(signIn.db, before.sessionId);
}
