import type { Db } from '../../platform/database/database.ts';
import type { Mail } from '../../platform/mail/send-mail.ts';
import { publisherNames } from '../../publishers/publisher-names.ts';
import type { Invited } from './invite.ts';
import { hashLinkToken, invitationUrl } from './links.ts';
import { invitationMail } from './mails.ts';

interface Post {
  /** Where the dashboard is. */
  origin: string;
  /** Hands a mail in. @returns whether it was; what it tells of stands either way */
  mailed(mail: Mail): Promise<boolean>;
  now: Date;
}

/**
 * Mails the link of an invitation, where mail is sent, and notes that it went to its address.
 * @returns the link to hand on; null where it was mailed
 */
export async function mailInvitation(
  db: Db,
  { email, token, publisherId, invitedBy }: Invited & { publisherId: string; invitedBy: string },
  { origin, mailed, now }: Post,
): Promise<string | null> {
  const url = invitationUrl(origin, token);
  const name = (await publisherNames(db, [publisherId])).get(publisherId) ?? publisherId;
  if (!(await mailed(invitationMail(email, name, invitedBy, url)))) return url;
  await db
    .updateTable('staff_invitation')
    .set({ mailed_at: now })
    .where('invitation_hash', '=', hashLinkToken(token))
    .execute();
  return null;
}
