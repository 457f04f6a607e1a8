import { Type } from 'typebox';
import type { App } from '../platform/http/app-type.ts';
import { registerOperation } from '../platform/http/operation.ts';
import { closed } from '../platform/inputs.ts';
import type { Portal } from '../portal/create-portal.ts';
import { readSubjects, turnSubject } from '../portal/notices/subjects.ts';
import { readUnsubscribeToken, type Subscription } from '../portal/notices/unsubscribe-links.ts';
import { noticeSubject } from './notification-routes.ts';
import { portalOperations } from './portal-operations.ts';
import { portalErrors } from './schemas.ts';

const subscription = Type.Object(
  {
    subject: noticeSubject,
    isOn: Type.Boolean({ description: 'False if the person gets no emails about the subject.' }),
  },
  { title: 'Subscription', description: 'Emails that a link turns off.' },
);

const query = {
  token: Type.String({ minLength: 1, maxLength: 1_000, description: 'Token from the link in an email.' }),
};

/**
 * Registers the operations behind the links that turn emails off, which work without signing in. Only the POST request changes
 * anything, because mail scanners open links.
 */
export function unsubscribeRoutes(app: App, portal: Portal): void {
  const operation = portalOperations(app, 'Notifications');
  const { db, limits, url } = portal;
  const read = async (ip: string, token: string): Promise<Subscription> => {
    limits.countAttempt(ip);
    return readUnsubscribeToken(await portal.readSecret(), token);
  };
  const show = async ({ userId, subject }: Subscription) => {
    const found = (await readSubjects(db, userId)).find((each) => each.subject === subject);
    return { subject, isOn: found?.isOn ?? false };
  };

  operation(
    ['get', '/auth/subscription', 'getSubscription'],
    {
      of: 'public',
      summary: 'Get the emails that a link turns off',
      description: 'Changes nothing. Works without signing in.',
      query,
      answer: subscription,
    },
    async ({ ip, query: { token } }) => show(await read(ip, token)),
  );

  // For mail clients that open the link in the List-Unsubscribe header.
  registerOperation(app, ['get', '/auth/unsubscribe', 'openUnsubscribe'], {
    config: { portal: 'public' },
    path: undefined,
    schema: {
      hide: true, // it responds to mail clients with a page
      querystring: Type.Object(query, closed),
      response: { 303: Type.Null({ description: 'Redirect to the page.' }), ...portalErrors },
    },
    handler: async (request, reply) => {
      const { token } = request.query as { token: string };
      return reply.redirect(`${url}/unsubscribe#${encodeURIComponent(token)}`, 303);
    },
  });

  operation(
    ['post', '/auth/unsubscribe', 'unsubscribe'],
    {
      of: 'public',
      fromAnySite: true,
      summary: 'Turn off the emails that a link names',
      description: 'Mail services send this request for their own buttons (RFC 8058). The body is ignored.',
      query,
      consumes: ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
      body: Type.Object({}, { additionalProperties: true }),
      answer: subscription,
    },
    async ({ ip, query: { token } }) => {
      const found = await read(ip, token);
      await turnSubject(db, { ...found, isOn: false });
      return show(found);
    },
  );
}
