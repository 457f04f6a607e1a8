import type { Mail } from '../../platform/mail/send-mail.ts';
import { invitationDays } from './invite.ts';
import { passwordLinkHours } from './password-links.ts';

export const invitationMail = (to: string, publisherName: string, invitedBy: string, url: string): Mail => ({
  to,
  subject: `You are invited to ${oneLine(publisherName)}`,
  text: `${oneLine(invitedBy)} invites you to the creator program of ${oneLine(publisherName)}.

Open this link to accept. It works once, within ${invitationDays} days:

${url}

If you didn't expect this invitation, you can ignore this email.
`,
});

export const passwordMail = (to: string, url: string): Mail => ({
  to,
  subject: 'Reset your password for the creator program',
  text: `We received a request for a new password for ${to}.

Open this link to choose one. It works once, within ${passwordLinkHours === 1 ? 'an hour' : `${passwordLinkHours} hours`}:

${url}

If you didn't request this, you can ignore this email. Your password stays the same.
`,
});

export const linkedMail = (to: string, providerName: string): Mail => ({
  to,
  subject: `You can now sign in with ${oneLine(providerName)}`,
  text: `An account at ${oneLine(providerName)} was used for the first time to sign in to the creator program as ${to}. From now on, that account can sign in as you.

If it was you, there is nothing to do.

If it wasn't you, contact an owner of your publisher right away, so that they can remove you from the staff. Also inform the administrators of ${oneLine(providerName)}.
`,
});

/** Puts a name chosen by a user on one line, so that the name can't add lines to an email. */
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 100);
