import type { MailBrand } from '../../platform/mail/mail-content.ts';
import type { Mail } from '../../platform/mail/send-mail.ts';
import { unsubscribeHeaders } from '../../platform/mail/unsubscribe-headers.ts';
import { writeMail } from '../../platform/mail/write-mail.ts';
import type { Content } from '../content/content.ts';
import type { NotificationKind } from '../subjects.ts';

const kindNames: Readonly<Record<NotificationKind, string>> = {
  daily: 'daily digests',
  weekly: 'weekly digests',
  immediate: 'immediate notifications',
};

interface Addressed {
  to: string;
  brand: MailBrand;
  kind: NotificationKind;
  origin: string;
  /** Token for the link that turns off this kind of notification. */
  token: string;
  notificationId: string;
}

/**
 * Writes a notification's email. A link in the text, and in the headers that mail clients show as a button (RFC 8058),
 * turns off this kind of notification without signing in.
 */
export function notificationMail(
  { subject, blocks, link }: Content,
  { to, brand, kind, origin, token, notificationId }: Addressed,
): Mail {
  const mail = writeMail({
    to,
    brand,
    subject,
    blocks: [...blocks, { button: link.label, url: link.url }],
    footer: `You're receiving this email because ${kindNames[kind]} from ${brand.name} are turned on for ${to}.`,
    footerLink: { label: `Turn off ${kindNames[kind]}`, url: `${origin}/unsubscribe#${token}` },
  });
  return {
    ...mail,
    // An attempt whose response was lost is repeated with the same id, so that mail servers can drop the duplicate.
    messageId: `<${notificationId}@${new URL(origin).hostname}>`,
    headers: unsubscribeHeaders(`${origin}/admin/v1/auth/unsubscribe?token=${token}`),
  };
}
