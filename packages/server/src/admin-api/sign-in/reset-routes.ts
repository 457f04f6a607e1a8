import { Type } from 'typebox';
import { passwordUrl } from '../../accounts/people/links.ts';
import { passwordMail } from '../../accounts/people/mails.ts';
import {
  createPasswordLink,
  findPasswordLink,
  usePasswordLink,
} from '../../accounts/people/password-links.ts';
import { hashNewPassword, requireGoodLength } from '../../accounts/people/set-password.ts';
import type { SignIn } from '../../accounts/sign-in/create-sign-in.ts';
import { sendJson } from '../../platform/http/answers/error-answers.ts';
import type { App } from '../../platform/http/app-type.ts';
import { text } from '../../platform/http/schemas/schemas.ts';
import { closed } from '../../platform/inputs.ts';
import { Refusal } from '../../platform/refusal.ts';
import { adminErrors } from '../schemas.ts';
import { callerOf, sourceOf } from './answer-browser.ts';
import { rememberBrowser } from './start-session.ts';

/** Registers the routes that reset a forgotten password. */
export function resetRoutes(app: App, signIn: SignIn): void {
  const { db, clock, limits } = signIn;
  app.post(
    '/auth/password/forgot',
    {
      config: { staff: 'public' },
      schema: {
        operationId: 'forgetPassword',
        summary: 'Request a mailed link for a new password',
        tags: ['Sign-in'],
        body: Type.Object({ email: text(255) }, closed),
        response: { 200: Type.Object({}, { title: 'ForgottenPassword' }), ...adminErrors },
      },
    },
    async (request, reply) => {
      const { origin, address } = callerOf(signIn, request);
      const { email } = request.body;
      limits.countMail(address, email);
      if (!signIn.hasMail)
        throw new Refusal(
          'Conflict',
          'The service cannot send mail. Ask its operator for a link: attribution staff reset-password.',
        );
      // Not awaited: the time of the answer must not reveal whether the address has an account.
      void createPasswordLink(db, null, email, clock.now()).then(
        ({ email: to, token }) => signIn.sendMail(passwordMail(to, passwordUrl(origin, token))),
        (error: unknown) => {
          if (!(error instanceof Refusal))
            request.log.error({ err: error }, 'creating a link for a new password failed');
        },
      );
      return sendJson(reply, {});
    },
  );

  app.post(
    '/auth/password/reset',
    {
      config: { staff: 'public' },
      schema: {
        operationId: 'resetPassword',
        summary: 'Set a new password with a link, and end all sessions',
        tags: ['Sign-in'],
        body: Type.Object({ token: text(100), password: text(1_000) }, closed),
        response: {
          200: Type.Object({ email: Type.String() }, { title: 'ResetPassword' }),
          ...adminErrors,
        },
      },
    },
    async (request, reply) => {
      limits.countAddress(request.ip);
      const { token } = request.body;
      await findPasswordLink(db, token, clock.now());
      requireGoodLength(request.body.password);
      const password = await limits.hashing(() => hashNewPassword(request.body.password));
      const email = await usePasswordLink(db, {
        token,
        password,
        now: clock.now(),
        source: sourceOf(request),
      });
      await rememberBrowser(signIn, request, reply, email);
      return sendJson(reply, { email });
    },
  );
}
