import { type NoticeSubject, noticeSubjects } from '../../notices/kinds.ts';
import { Refusal } from '../../platform/refusal.ts';
import { readSignedLink, signLink } from '../../platform/secrets/signed-link.ts';

/** Target of a link: emails about one subject to one person. */
export interface Subscription {
  userId: string;
  subject: NoticeSubject;
}

const purpose = 'unsubscribe';

/** Returns the token of a link that turns emails off without signing in. It never expires, because emails may be read years later. */
export const unsubscribeToken = (secret: Buffer, { userId, subject }: Subscription): string =>
  signLink(secret, purpose, [userId, subject]);

/** @throws Refusal NotFound for a token that the service didn't create */
export function readUnsubscribeToken(secret: Buffer, token: string): Subscription {
  const [userId, name] = readSignedLink(secret, purpose, token) ?? [];
  const subject = noticeSubjects.find((each) => each === name);
  if (userId === undefined || subject === undefined)
    throw new Refusal(
      'NotFound',
      'This link is incomplete or was changed. Open the link in the email again, or sign in and open Notifications.',
    );
  return { userId, subject };
}
