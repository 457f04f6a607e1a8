import { Type } from 'typebox';
import type { Service } from '../../composition.ts';
import { showSubscription, unsubscribe } from '../../notifications/choices/unsubscribe.ts';
import { readUnsubscribeToken } from '../../notifications/choices/unsubscribe-links.ts';
import { notificationKinds } from '../../notifications/subjects.ts';
import type { App } from '../../platform/http/app-type.ts';
import { adminOperations } from '../admin-operations.ts';
import { oneOf } from '../schemas.ts';
import { sourceOf } from '../sign-in/answer-browser.ts';

const subscription = Type.Object(
  {
    publisherName: Type.String(),
    kind: oneOf(notificationKinds, { description: 'Kind of notifications that the link turns off.' }),
    isOn: Type.Boolean({ description: 'False if this kind is off.' }),
  },
  { title: 'Subscription' },
);

const query = {
  token: Type.String({ minLength: 1, maxLength: 1_000, description: 'Token from the link in an email.' }),
};

/**
 * Registers the operations behind the links in emails, which work without signing in. Only POST requests
 * change anything, because mail scanners open links.
 */
export function unsubscribeRoutes(app: App, { database: { db }, clock, notifier }: Service): void {
  const { operation, rawOperation } = adminOperations(app, 'Notifications');
  const read = async (token: string) => readUnsubscribeToken(await notifier.unsubscribeSecret(), token);

  operation(
    ['get', '/auth/subscription', 'getSubscription'],
    {
      may: 'public',
      summary: 'Get the notifications that an email link turns off',
      query,
      answer: subscription,
    },
    async ({ query: { token } }) => showSubscription(db, await read(token)),
  );

  rawOperation(
    ['get', '/auth/unsubscribe', 'openUnsubscribe'],
    {
      may: 'public',
      summary: 'Open the page that turns off notifications',
      description: 'For mail clients that open the link in the List-Unsubscribe header. Changes nothing.',
      query,
      answers: { 303: Type.Null({ description: 'Redirect to the page.' }) },
    },
    async ({ query: { token } }, reply) =>
      reply.redirect(`${notifier.origin}/unsubscribe#${encodeURIComponent(token)}`, 303),
  );

  operation(
    ['post', '/auth/unsubscribe', 'unsubscribe'],
    {
      may: 'public',
      fromAnySite: true,
      summary: 'Turn off the notifications that an email link names',
      description: 'Mail services send this request for their own buttons (RFC 8058). The body is ignored.',
      query,
      bodyIsOptional: true,
      consumes: ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
      body: Type.Object({}, { additionalProperties: true }),
      answer: subscription,
    },
    async (request) => unsubscribe(db, await read(request.query.token), sourceOf(request), clock.now()),
  );
}
