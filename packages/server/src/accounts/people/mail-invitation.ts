import type { Db } from '../../platform/database/database.ts';
import type { Mail } from '../../platform/mail/send-mail.ts';
import { publisherNames } from '../../publishers/publisher-names.ts';
import type { Invited } from './invite.ts';
import { hashLinkToken, invitationUrl } from './links.ts';
import { invitationMail } from './mails.ts';

interface MailTools {
  origin: string;
  /** @returns whether a mail server accepted the email */
  sendMail(mail: Mail): Promise<boolean>;
  now: Date;
}

/**
 * Emails the link for an invitation and records that the link was sent.
 * @returns the link to pass on in another way; null if the email was sent
 */
export async function mailInvitation(
  db: Db,
  { email, token, publisherId, invitedBy }: Invited & { publisherId: string; invitedBy: string },
  { origin, sendMail, now }: MailTools,
): Promise<string | null> {
  const url = invitationUrl(origin, token);
  const name = (await publisherNames(db, [publisherId])).get(publisherId) ?? publisherId;
  if (!(await sendMail(invitationMail(email, name, invitedBy, url)))) return url;
  await db
    .updateTable('staff_invitation')
    .set({ mailed_at: now })
    .where('invitation_hash', '=', hashLinkToken(token))
    .execute();
  return null;
}
