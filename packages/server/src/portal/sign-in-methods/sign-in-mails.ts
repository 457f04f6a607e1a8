import type { Mail } from '../../platform/mail/send-mail.ts';
import { writeMail } from '../../platform/mail/write-mail.ts';
import { confirmationMinutes } from '../confirmations.ts';
import { someoneElse } from '../portal-mails.ts';

/** Writes the email with the code that confirms a change of the sign-in methods. @param change such as `add your Twitch account` */
export const signInConfirmationMail = (to: string, change: string, code: string): Mail =>
  writeMail({
    to,
    brand: null,
    subject: 'Your code to change how you sign in',
    blocks: [
      `Enter this code to ${change}:`,
      { facts: [['Code', code]] },
      `This code works once, for this change only, and expires in ${confirmationMinutes} minutes. Don’t share it with anyone.`,
    ],
    footer: someoneElse,
  });

/** Writes the email that tells of a changed sign-in method. @param change such as `You can now sign in with the passkey Phone.` */
export const signInNoticeMail = (to: string, portalUrl: string, change: string): Mail =>
  writeMail({
    to,
    brand: null,
    subject: 'How you sign in was changed',
    blocks: [
      change,
      'If this was you, you don’t need to do anything. If not, open the page, remove what you don’t know, and end the sessions that aren’t yours.',
      { button: 'Open “Sign-in”', url: `${portalUrl}/sign-in` },
    ],
    footer:
      "You're receiving this email because it concerns the security of your sign-in. It can't be turned off.",
  });
