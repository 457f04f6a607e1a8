import { Type } from 'typebox';
import { noticeSubjects } from '../notices/kinds.ts';
import type { App } from '../platform/http/app-type.ts';
import { oneOf } from '../platform/http/schemas/fields.ts';
import { closed } from '../platform/inputs.ts';
import type { Portal } from '../portal/create-portal.ts';
import { readSubjects, turnSubject } from '../portal/notices/subjects.ts';
import { sessionOf } from '../portal/require-portal.ts';
import { portalOperations } from './portal-operations.ts';

export const noticeSubject = oneOf(noticeSubjects, {
  title: 'NotificationSubject',
  description:
    'paid: a payment was made. returned: a payment failed or came back. membership: a publisher approved, refused or removed the creator. first-sale: the first purchase with the creator’s code. bounty: a bounty was completed for the first time.',
});

const notifications = Type.Object(
  {
    email: Type.String({ description: 'Address that the emails are sent to.' }),
    subjects: Type.Array(
      Type.Object(
        {
          subject: noticeSubject,
          isOn: Type.Boolean({ description: 'True if the person gets these emails.' }),
        },
        { title: 'NotificationChoice' },
      ),
    ),
  },
  { title: 'Notifications', description: 'Emails about all publishers of the person.' },
);

/** Registers the operations on the emails that the signed-in person gets. */
export function notificationRoutes(app: App, { db }: Portal): void {
  const operation = portalOperations(app, 'Notifications');
  operation(
    ['get', '/notifications', 'getNotifications'],
    {
      of: 'signed-in',
      summary: 'Get the emails that the signed-in person gets',
      description: 'Emails about changed payout methods are not listed, because they can’t be turned off.',
      answer: notifications,
    },
    async (request) => {
      const { userId, email } = sessionOf(request);
      return { email, subjects: await readSubjects(db, userId) };
    },
  );

  operation(
    ['post', '/notifications', 'turnNotification'],
    {
      of: 'signed-in',
      summary: 'Turn the emails about a subject on or off',
      description: 'Applies to all publishers, and to emails that were not sent yet.',
      body: Type.Object(
        { subject: noticeSubject, isOn: Type.Boolean() },
        { ...closed, title: 'TurnedNotification' },
      ),
      answer: notifications,
    },
    async (request) => {
      const { userId, email } = sessionOf(request);
      await turnSubject(db, { userId, ...request.body });
      return { email, subjects: await readSubjects(db, userId) };
    },
  );
}
