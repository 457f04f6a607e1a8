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
import type { App } from '../../platform/http/app-type.ts';
import { text } from '../../platform/http/schemas/schemas.ts';
import { closed } from '../../platform/inputs.ts';
import { Refusal } from '../../platform/refusal.ts';
import { adminOperations } from '../admin-operations.ts';
import { callerOf, sourceOf } from './answer-browser.ts';
import { rememberBrowser } from './start-session.ts';

export function resetRoutes(app: App, signIn: SignIn): void {
  const { operation } = adminOperations(app, 'Sign-in');
  const { db, clock, limits } = signIn;
  operation(
    ['post', '/auth/password/forgot', 'forgetPassword'],
    {
      may: 'public',
      summary: 'Request an email with a link to set a new password',
      body: Type.Object({ email: text(255) }, closed),
      answer: Type.Object({}, { title: 'ForgottenPassword' }),
    },
    async (request) => {
      const { origin, address } = callerOf(signIn, request);
      const { email } = request.body;
      limits.countMail(address, email);
      if (!signIn.hasMail)
        throw new Refusal(
          'Conflict',
          'The service cannot send mail. Ask its operator for a link: attribution staff reset-password.',
        );
      // Not awaited: the response time must not reveal whether the address has an account.
      void createPasswordLink(db, null, email, clock.now()).then(
        ({ email: to, token }) => signIn.sendMail(passwordMail(to, passwordUrl(origin, token))),
        (error: unknown) => {
          if (!(error instanceof Refusal))
            request.log.error({ err: error }, 'creating a link for a new password failed');
        },
      );
      return {};
    },
  );

  operation(
    ['post', '/auth/password/reset', 'resetPassword'],
    {
      may: 'public',
      summary: 'Set a new password with a link, and end all sessions',
      body: Type.Object({ token: text(100), password: text(1_000) }, closed),
      answer: Type.Object({ email: Type.String() }, { title: 'ResetPassword' }),
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
      return { email };
    },
  );
}
