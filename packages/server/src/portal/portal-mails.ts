import type { MailBrand } from '../platform/mail/mail-content.ts';
import type { Mail } from '../platform/mail/send-mail.ts';
import { writeMail } from '../platform/mail/write-mail.ts';
import { codeMinutes, type MailedCode } from './codes.ts';
import { invitationDays } from './invite-creator.ts';

/** Writes the email with a code and a link. The secret of the link follows the #, which browsers don't send. */
export const codeMail = (to: string, portalUrl: string, { code, linkToken }: MailedCode): Mail =>
  writeMail({
    to,
    brand: null,
    subject: 'Your code to sign in',
    blocks: [
      'Enter this code in the browser in which you requested it:',
      { facts: [['Code', code]] },
      'In any other browser, open this link instead:',
      { button: 'Sign in', url: `${portalUrl}/enter#${linkToken}` },
      `Both work only once and expire in ${codeMinutes} minutes. Don't share them with anyone.`,
    ],
    footer: "If you didn't request this, you can ignore this email. No one can sign in without it.",
  });

/** Email that invites a creator to see an account. */
export interface InvitationMail {
  to: string;
  brand: MailBrand;
  accountName: string;
  portalUrl: string;
  token: string;
}

export const creatorInvitationMail = ({ to, brand, accountName, portalUrl, token }: InvitationMail): Mail =>
  writeMail({
    to,
    brand,
    subject: `See your earnings from ${brand.name}`,
    blocks: [
      `${brand.name} invites you to see the creator account ${accountName}: what it earned, and when it is paid.`,
      `Open this link to accept. It works only once and expires in ${invitationDays} days.`,
      { button: 'Accept invitation', url: `${portalUrl}/invitation#${token}` },
    ],
    footer: "If you aren't this creator, you can ignore this email.",
  });
