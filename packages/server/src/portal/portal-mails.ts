import type { MethodKind } from '../payees/destination.ts';
import type { MailBrand } from '../platform/mail/mail-content.ts';
import type { Mail } from '../platform/mail/send-mail.ts';
import { writeMail } from '../platform/mail/write-mail.ts';
import { codeMinutes, type MailedCode } from './codes.ts';
import { confirmationMinutes, type OwnDataAction } from './confirmations.ts';
import { invitationDays } from './invite-creator.ts';

export const someoneElse =
  "If you didn't request this, someone else is signed in as you. Sign in, choose You, and end the sessions that you don't know.";

/** Writes the email with a code and a link. The secret of the link follows the #, which browsers don't send. */
export const codeMail = (to: string, portalUrl: string, { code, linkToken }: MailedCode): Mail =>
  writeMail({
    to,
    brand: null,
    subject: 'Your sign-in code',
    blocks: [
      'Enter this code in the browser where you requested it:',
      { facts: [['Code', code]] },
      'In another browser, open this link instead:',
      { button: 'Sign in', url: `${portalUrl}/enter#${linkToken}` },
      `Each works once and expires in ${codeMinutes} minutes. Don't share them with anyone.`,
    ],
    footer: "If you didn't request this, you can ignore this email. No one can sign in without it.",
  });

/** Writes the email with the code that confirms a download or an erasure of the person's data. */
export const ownDataMail = (to: string, action: OwnDataAction, code: string): Mail =>
  writeMail({
    to,
    brand: null,
    subject: action === 'download' ? 'Your code to download your data' : 'Your code to erase your data',
    blocks: [
      action === 'download'
        ? 'Enter this code to download everything that is stored about you:'
        : 'Enter this code to request the erasure of your data:',
      { facts: [['Code', code]] },
      `This code works once, for this purpose only, and expires in ${confirmationMinutes} minutes. Don't share it with anyone.`,
    ],
    footer: someoneElse,
  });

/** Writes the email that confirms a request to erase the person's data, which another person with the phone may have made. */
export const erasureRequestedMail = (to: string, portalUrl: string, dueAt: Date): Mail =>
  writeMail({
    to,
    brand: null,
    subject: 'You asked us to erase your data',
    blocks: [
      `Your personal data will be erased on ${dueAt.toISOString().slice(0, 10)} (UTC), or later if a publisher still owes you money.`,
      'You can change your mind until then. If you didn’t request this, open the page and keep your data.',
      { button: 'Open “Your data”', url: `${portalUrl}/your-data` },
    ],
    footer: 'You get this email because a request was made in the creators’ portal.',
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
      `Open this link to accept. It works once and expires in ${invitationDays} days.`,
      { button: 'Accept invitation', url: `${portalUrl}/invitation#${token}` },
    ],
    footer: "If you aren't this creator, you can ignore this email.",
  });

/** Email about a decided application. */
export interface DecisionMail {
  to: string;
  brand: MailBrand;
  portalUrl: string;
  publisherId: string;
  groupId: string;
  groupName: string;
  decision: 'Approved' | 'Refused' | 'Expired';
  code: string | null;
  reason: string | null;
}

/** Writes the email that tells a creator what became of an application. */
export function decisionMail(told: DecisionMail): Mail {
  const { to, brand, portalUrl, publisherId, groupId, groupName, decision, code, reason } = told;
  const page = `${portalUrl}/apply/${encodeURIComponent(publisherId)}/${encodeURIComponent(groupId)}`;
  const footer = `You're receiving this email because you applied to ${brand.name}.`;
  if (decision === 'Approved')
    return writeMail({
      to,
      brand,
      subject: `${brand.name} approved your application`,
      blocks: [
        `You're now a creator in ${groupName}.`,
        ...(code === null
          ? []
          : [
              'Purchases with your code are credited to you from now on:',
              { facts: [['Code', code]] as [string, string][] },
            ]),
        { button: 'See your earnings', url: portalUrl },
      ],
      footer,
    });
  return writeMail({
    to,
    brand,
    subject:
      decision === 'Refused' ? `${brand.name} didn’t accept your application` : 'Your application expired',
    blocks:
      decision === 'Refused'
        ? [
            `${brand.name} didn’t accept your application to ${groupName}.`,
            ...(reason === null ? [] : [{ facts: [['Reason', reason]] as [string, string][] }]),
            { button: 'See when you can apply again', url: page },
          ]
        : [
            `${brand.name} didn’t decide on your application to ${groupName} in time. You can apply again.`,
            { button: 'Apply again', url: page },
          ],
    footer,
  });
}

/** Names of the kinds of payout methods in emails. */
export const kindNames: Readonly<Record<MethodKind, string>> = {
  paypal: 'PayPal account',
  'wise-email': 'Wise',
  sepa: 'bank account',
};

/** Method and its change, as emails name them. */
interface NamedChange {
  to: string;
  brand: MailBrand;
  change: 'entered' | 'removed';
  kind: MethodKind;
  hint: string;
}

/** Writes the email with the code that confirms a change of a payout method. */
export const confirmationMail = ({
  to,
  brand,
  change,
  kind,
  hint,
  code,
}: NamedChange & { code: string }): Mail =>
  writeMail({
    to,
    brand,
    subject: 'Your code to change your payout method',
    blocks: [
      change === 'entered'
        ? `Enter this code to be paid by ${brand.name} to:`
        : `Enter this code so that ${brand.name} no longer pays you to:`,
      { facts: [[kindNames[kind], hint]] },
      { facts: [['Code', code]] },
      `This code works once, for this change only, and expires in ${confirmationMinutes} minutes. Don’t share it with anyone. ${brand.name} will never ask you for it.`,
    ],
    footer: someoneElse,
  });

/** Email that tells of a changed payout method. */
export interface MethodNotice extends NamedChange {
  portalUrl: string;
  token: string;
  /** Time from which payouts use the method; null if it was removed, or if the publisher checks it first. */
  usableFrom: Date | null;
  /** End of the link. */
  expiresAt: Date;
}

/** Writes the email that tells of a changed payout method. The link opens a page with a button; opening it changes nothing. */
export const methodNoticeMail = ({
  to,
  brand,
  change,
  kind,
  hint,
  portalUrl,
  token,
  usableFrom,
  expiresAt,
}: MethodNotice): Mail =>
  writeMail({
    to,
    brand,
    subject: change === 'entered' ? 'Your payout method was changed' : 'Your payout method was removed',
    blocks: [
      change === 'entered'
        ? `From now on, ${brand.name} pays you to:`
        : `${brand.name} no longer pays you to:`,
      { facts: [[kindNames[kind], hint]] },
      ...(change === 'removed'
        ? []
        : [
            usableFrom === null
              ? `${brand.name} checks it first. Until then, nothing is paid to it.`
              : `Payouts use it from ${dayOf(usableFrom)} (UTC). Until then, nothing is paid to it or to an earlier one.`,
          ]),
      'If this was you, you don’t need to do anything.',
      `If this wasn’t you, open this link. It undoes the change, signs you out everywhere, and stops payouts until ${brand.name} has checked them. It works until ${dayOf(expiresAt)}.`,
      { button: 'This wasn’t me', url: `${portalUrl}/not-me#${token}` },
    ],
    footer: `You're receiving this email because it concerns the security of your payouts. It can't be turned off.`,
  });

const dayOf = (at: Date): string =>
  at.toLocaleDateString('en-US', { timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric' });
