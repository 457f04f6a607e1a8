import type { Mail } from '../../platform/mail/send-mail.ts';
import { invitationDays } from './invite.ts';
import { passwordLinkHours } from './password-links.ts';

export const invitationMail = (to: string, publisherName: string, invitedBy: string, url: string): Mail => ({
  to,
  subject: `You are invited to ${oneLine(publisherName)}`,
  text: `${oneLine(invitedBy)} invites you to the creator program of ${oneLine(publisherName)}.

Open this link to accept. It works once, for ${invitationDays} days:

${url}

If you did not expect this, there is nothing to do.
`,
});

export const passwordMail = (to: string, url: string): Mail => ({
  to,
  subject: 'A new password for the creator program',
  text: `Somebody asked for a new password for ${to}.

Open this link to choose one. It works once, for ${passwordLinkHours === 1 ? 'an hour' : `${passwordLinkHours} hours`}:

${url}

If it was not you, there is nothing to do: the password stays as it is.
`,
});

export const linkedMail = (to: string, providerName: string): Mail => ({
  to,
  subject: `${oneLine(providerName)} now opens your account`,
  text: `Somebody signed in to the creator program as ${to}, with an account at ${oneLine(providerName)}, for the first time. That account opens yours from now on.

If it was you, there is nothing to do.

If it was not you, tell an owner of your publisher at once, so that they remove you from the staff, and whoever runs ${oneLine(providerName)}.
`,
});

/** What somebody called themselves stands in a sentence of ours, and begins no line. */
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 100);
