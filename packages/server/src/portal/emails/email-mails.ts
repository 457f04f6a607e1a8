import type { Mail } from '../../platform/mail/send-mail.ts';
import { writeMail } from '../../platform/mail/write-mail.ts';
import { confirmationMinutes } from '../confirmations.ts';
import { someoneElse } from '../portal-mails.ts';

/** Address that is added or removed, and the code that confirms it. */
interface EmailCode {
  to: string;
  email: string;
  code: string;
}

const expiry = `This code works once, for this change only, and expires in ${confirmationMinutes} minutes. Don't share it with anyone.`;

/** Writes the email to the person's own address with the code that allows a further address. */
export const addEmailMail = ({ to, email, code }: EmailCode): Mail =>
  writeMail({
    to,
    brand: null,
    subject: 'Your code to add an email address',
    blocks: [
      'Enter this code so that this address can be used to sign in as you:',
      { facts: [['New address', email]] },
      { facts: [['Code', code]] },
      expiry,
    ],
    footer: someoneElse,
  });

/** Writes the email to the new address with the code that proves it. */
export const provingMail = ({ to, code }: Omit<EmailCode, 'email'>): Mail =>
  writeMail({
    to,
    brand: null,
    subject: 'Your code for this email address',
    blocks: ['Enter this code to prove that this address is yours:', { facts: [['Code', code]] }, expiry],
    footer: "If you didn't request this, you can ignore this email. Nothing happens without the code.",
  });

export const removeEmailMail = ({ to, email, code }: EmailCode): Mail =>
  writeMail({
    to,
    brand: null,
    subject: 'Your code to remove an email address',
    blocks: [
      'Enter this code so that this address can no longer be used to sign in as you:',
      { facts: [['Address', email]] },
      { facts: [['Code', code]] },
      expiry,
    ],
    footer: someoneElse,
  });

/** Writes the email that tells the person's other addresses of a change. */
export const changedEmailsMail = (
  to: string,
  { email, change, portalUrl }: { email: string; change: 'added' | 'removed'; portalUrl: string },
): Mail =>
  writeMail({
    to,
    brand: null,
    subject: change === 'added' ? 'An email address was added' : 'An email address was removed',
    blocks: [
      change === 'added'
        ? 'From now on, this address can also be used to sign in as you:'
        : 'This address can no longer be used to sign in as you:',
      { facts: [['Address', email]] },
      'If this wasn’t you, sign in, check your addresses, and end the sessions that you don’t know.',
      { button: 'Open your addresses', url: `${portalUrl}/emails` },
    ],
    footer: `You're receiving this email because it concerns the security of your sign-in. It can't be turned off.`,
  });
