import { sql } from 'kysely';
import { type NoticeSubject, noticeSubjects } from '../../notices/kinds.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Subscription } from './unsubscribe-links.ts';

/** Subject of emails to a person, and whether the person gets them. */
export interface SubjectOfPerson {
  subject: NoticeSubject;
  isOn: boolean;
}

/** Returns all subjects. A person who was erased gets no emails. */
export async function readSubjects(db: Db, userId: string): Promise<SubjectOfPerson[]> {
  const person = await db
    .selectFrom('portal_user')
    .select('off_subjects')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return noticeSubjects.map((subject) => ({
    subject,
    isOn: person !== undefined && !person.off_subjects.includes(subject),
  }));
}

/** Turns a subject on or off for a person, at all publishers. Concurrent changes of other subjects are kept. */
export async function turnSubject(
  db: Db,
  { userId, subject, isOn }: Subscription & { isOn: boolean },
): Promise<void> {
  const without = sql<string[]>`array_remove(off_subjects, ${subject})`;
  await db
    .updateTable('portal_user')
    .set({ off_subjects: isOn ? without : sql<string[]>`${without} || ${subject}::text` })
    .where('user_id', '=', userId)
    .execute();
}
