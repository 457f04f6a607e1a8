import { Type } from 'typebox';
import { type Staff, staffOf } from '../../accounts/require-staff.ts';
import type { Service } from '../../composition.ts';
import { permitted, readChoice } from '../../notifications/choices/choice.ts';
import { putChoice } from '../../notifications/choices/put-choice.ts';
import { personRecipient } from '../../notifications/recipients.ts';
import { lastFailures } from '../../notifications/send/last-failures.ts';
import { digestSubjectsOf, immediateSubjectsOf } from '../../notifications/subjects.ts';
import type { App } from '../../platform/http/app-type.ts';
import { closed } from '../../platform/inputs.ts';
import { Refusal } from '../../platform/refusal.ts';
import { adminOperations } from '../admin-operations.ts';
import { editedVersion, nullable, time, versionField } from '../schemas.ts';
import { choiceFields, digestSubject, immediateSubject, toChoice, toFields } from './schemas.ts';

const notifications = Type.Object(
  {
    ...choiceFields,
    digestSubjects: Type.Array(digestSubject, { description: 'Subjects of digests that the role may see.' }),
    immediateSubjects: Type.Array(immediateSubject, {
      description: 'Subjects of immediate notifications for people with this role.',
    }),
    isDefault: Type.Boolean({ description: 'True if the person has never saved a choice.' }),
    nextDailyAt: nullable(time('Time of the next daily digest.')),
    nextWeeklyAt: nullable(time('Time of the next weekly digest.')),
    lastFailure: nullable(
      Type.String({
        description: "Reason the last email to the person couldn't be sent; null if it was sent.",
      }),
    ),
    hasMail: Type.Boolean({ description: 'False if no mail server is configured (SMTP_URL).' }),
    isSandbox: Type.Boolean({ description: 'True for a sandbox, which sends no notifications.' }),
    version: versionField,
  },
  { title: 'Notifications', description: 'Email notifications that the signed-in person has chosen.' },
);

export function choiceRoutes(app: App, { database: { db }, clock, notifier }: Service): void {
  const { operation } = adminOperations(app, 'Notifications');
  const show = async (publisherId: string, staff: Staff) => {
    const recipient = personRecipient(userOf(staff));
    const saved = await readChoice(db, publisherId, recipient);
    return {
      ...toFields(permitted(saved, staff.role)),
      digestSubjects: digestSubjectsOf(staff.role),
      immediateSubjects: immediateSubjectsOf(staff.role),
      isDefault: saved.isDefault,
      nextDailyAt: saved.nextDailyAt,
      nextWeeklyAt: saved.nextWeeklyAt,
      lastFailure: (await lastFailures(db, publisherId, [recipient])).get(recipient) ?? null,
      hasMail: notifier.hasMail,
      isSandbox: staff.isSandbox,
      version: saved.version,
    };
  };

  operation(
    ['get', '/publishers/:publisherId/notifications', 'getNotifications'],
    { may: 'read', summary: "Get the signed-in person's notification settings", answer: notifications },
    (request) => show(request.params.publisherId, staffOf(request)),
  );

  operation(
    ['put', '/publishers/:publisherId/notifications', 'putNotifications'],
    {
      may: 'read',
      summary: "Change the signed-in person's notification settings",
      description: 'Subjects that the role may not see are accepted, but never sent.',
      body: Type.Object({ version: editedVersion, ...choiceFields }, closed),
      answer: notifications,
    },
    async (request) => {
      const { publisherId } = request.params;
      const staff = staffOf(request);
      await putChoice(
        db,
        request.actor,
        { publisherId, userId: userOf(staff), version: request.body.version, ...toChoice(request.body) },
        clock.now(),
      );
      return show(publisherId, staff);
    },
  );
}

function userOf(staff: Staff): string {
  if (staff.kind === 'staff') return staff.staffId;
  throw new Refusal('Forbidden', 'An operator token gets no notifications. Sign in as a person.');
}
