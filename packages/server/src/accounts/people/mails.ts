import type { MailBrand } from '../../platform/mail/mail-content.ts';
import type { Mail } from '../../platform/mail/send-mail.ts';
import { writeMail } from '../../platform/mail/write-mail.ts';
import { invitationDays } from './invite.ts';
import { passwordLinkHours } from './password-links.ts';

export const invitationMail = (to: string, brand: MailBrand, invitedBy: string, url: string): Mail =>
  writeMail({
    to,
    brand,
    subject: `You’re invited to join ${short(brand.name)}`,
    blocks: [
      `${short(invitedBy)} has invited you to the creator program of ${short(brand.name)}.`,
      `Open this link to accept. It works once and expires in ${invitationDays} days.`,
      { button: 'Accept invitation', url },
    ],
    footer: "If you didn't expect this invitation, you can ignore this email.",
  });

export const passwordMail = (to: string, url: string): Mail =>
  writeMail({
    to,
    brand: null,
    subject: 'Reset your password for the creator program',
    blocks: [
      `We received a request to reset the password for ${to}.`,
      `Open this link to choose a new one. It works once and expires in ${passwordLinkHours === 1 ? 'an hour' : `${passwordLinkHours} hours`}.`,
      { button: 'Choose a new password', url },
    ],
    footer: "If you didn't request this, you can ignore this email. Your password stays the same.",
  });

export const linkedMail = (to: string, providerName: string): Mail =>
  writeMail({
    to,
    brand: null,
    subject: `You can now sign in with ${short(providerName)}`,
    blocks: [
      `An account at ${short(providerName)} was used for the first time to sign in to the creator program as ${to}. From now on, that account can sign in as you.`,
      'If this was you, you don’t need to do anything.',
      `If this wasn't you, contact an owner of your publisher right away, so that they can remove you from the team. Also notify the administrators of ${short(providerName)}.`,
    ],
    footer: "You're receiving this email because a way to sign in to your account was added.",
  });

/** Names that people choose can be 255 characters long, which would fill the subject line. */
const short = (name: string): string => {
  const characters = [...name];
  return characters.length <= 100 ? name : `${characters.slice(0, 99).join('')}…`;
};
