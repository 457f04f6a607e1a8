import type { Db } from '../../platform/database/database.ts';
import type { Mail } from '../../platform/mail/send-mail.ts';
import { mailBrand } from '../../publishers/brand/mail-brand.ts';
import type { Invited } from './invite.ts';
import { hashLinkToken, invitationUrl } from './links.ts';
import { invitationMail } from './mails.ts';

interface MailTools {
  origin: string;
  /** PUBLIC_URL, from which email clients load the logo. */
  publicUrl: string | null;
  /** @returns whether a mail server accepted the email */
  sendMail(mail: Mail): Promise<boolean>;
  now: Date;
}

/**
 * Emails an invitation's link and records that it was sent.
 * @returns the link, to be shared another way; null if the email was sent
 */
export async function mailInvitation(
  db: Db,
  { email, token, publisherId, invitedBy }: Invited & { publisherId: string; invitedBy: string },
  { origin, publicUrl, sendMail, now }: MailTools,
): Promise<string | null> {
  const url = invitationUrl(origin, token);
  const brand = await mailBrand(db, publisherId, publicUrl);
  if (!(await sendMail(invitationMail(email, brand, invitedBy, url)))) return url;
  await db
    .updateTable('staff_invitation')
    .set({ mailed_at: now })
    .where('invitation_hash', '=', hashLinkToken(token))
    .execute();
  return null;
}
