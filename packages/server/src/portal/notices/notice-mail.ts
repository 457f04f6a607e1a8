import type { NoticeSubject, OptionalNoticeKind } from '../../notices/kinds.ts';
import type { MethodKind } from '../../payees/destination.ts';
import type { MailBlock, MailBrand } from '../../platform/mail/mail-content.ts';
import type { Mail } from '../../platform/mail/send-mail.ts';
import { unsubscribeHeaders } from '../../platform/mail/unsubscribe-headers.ts';
import { writeMail } from '../../platform/mail/write-mail.ts';
import { amountText } from '../../platform/money.ts';
import type { OwnPayoutDetail } from '../../settlement/payouts/read/own-payouts.ts';
import { kindNames } from '../portal-mails.ts';

/** Content of an email that can be turned off. Its subject line contains no amount, because phones show it to anyone. */
export interface NoticeContent {
  subjectLine: string;
  blocks: readonly MailBlock[];
  /** Page of the portal with the same information. */
  page: { label: string; path: string };
}

interface Addressed {
  to: string;
  brand: MailBrand;
  portalUrl: string;
  publisherId: string;
  subject: NoticeSubject;
  /** Token of the link that turns the subject off. */
  token: string;
}

const subjectNames: Readonly<Record<NoticeSubject, string>> = {
  paid: 'emails about payments',
  returned: 'emails about payments that come back',
  membership: 'emails about approvals',
  'first-sale': 'emails about first sales',
  bounty: 'emails about bounties',
};

/** Writes the email. A link in its text, and in the headers that mail clients show as a button, turns its subject off. */
export function noticeMail(
  { subjectLine, blocks, page }: NoticeContent,
  { to, brand, portalUrl, publisherId, subject, token }: Addressed,
): Mail {
  const mail = writeMail({
    to,
    brand,
    subject: subjectLine,
    blocks: [
      ...blocks,
      {
        button: page.label,
        url: `${portalUrl}${page.path}?publisher=${encodeURIComponent(publisherId)}`,
      },
    ],
    footer: `You're receiving this email because ${subjectNames[subject]} are turned on for ${to}.`,
    footerLink: { label: `Turn off ${subjectNames[subject]}`, url: `${portalUrl}/unsubscribe#${token}` },
  });
  const { origin } = new URL(portalUrl);
  return { ...mail, headers: unsubscribeHeaders(`${origin}/portal/v1/auth/unsubscribe?token=${token}`) };
}

export function paymentContent(
  kind: 'paid' | 'returned',
  publisher: string,
  { lineId, currency, amountMinor, reference, state, method, note }: OwnPayoutDetail,
): NoticeContent {
  const facts = [
    ['Amount', amountText(amountMinor, currency)] as const,
    ...(method === null ? [] : [[kindNames[method.kind as MethodKind], method.hint] as const]),
    ['Reference', reference] as const,
  ];
  const page = { label: 'Open the payout', path: `/payouts/${lineId}` };
  if (kind === 'paid')
    return {
      subjectLine: `${publisher} paid you`,
      blocks: [`${publisher} marked this payment as paid. It can take a few days to arrive.`, { facts }],
      page,
    };
  return {
    subjectLine: `A payment from ${publisher} didn't reach you`,
    blocks: [
      state === 'failed'
        ? `${publisher} couldn't make this payment:`
        : `The money of this payment came back to ${publisher}:`,
      { facts: note === null ? facts : [...facts, ['Reason', note] as const] },
      'The amount is in your balance again, and will be in a later payout. Before then, check your payout method.',
    ],
    page,
  };
}

export const bountyContent = (publisher: string, bounty: string): NoticeContent => ({
  subjectLine: `You completed a bounty from ${publisher}`,
  blocks: [
    `You completed “${bounty}”. The portal shows your reward, and whether you can complete the bounty again.`,
  ],
  page: { label: 'Open your bounties', path: '/bounties' },
});

export function membershipContent(
  kind: Exclude<OptionalNoticeKind, 'paid' | 'returned' | 'bounty'>,
  publisher: string,
  group: string,
): NoticeContent {
  switch (kind) {
    case 'approved':
      return {
        subjectLine: `${publisher} approved you`,
        blocks: [
          `You are now a creator of ${publisher} in ${group}. From now on, you earn from purchases with your codes.`,
        ],
        page: { label: 'Open your codes', path: '/codes' },
      };
    case 'refused':
      return {
        subjectLine: `${publisher} didn't approve you`,
        blocks: [
          `${publisher} decided not to approve you as a creator in ${group}. If you have questions, contact ${publisher}.`,
        ],
        page: { label: 'Open the portal', path: '' },
      };
    case 'removed':
      return {
        subjectLine: `You are no longer a creator of ${publisher}`,
        blocks: [
          `${publisher} ended your membership in ${group}. Your codes no longer earn there. You will still be paid what you have earned. If you have questions, contact ${publisher}.`,
        ],
        page: { label: 'Open the portal', path: '' },
      };
    case 'first-sale':
      return {
        subjectLine: 'Your first sale',
        blocks: [`Someone bought something from ${publisher} with your code in ${group} for the first time.`],
        page: { label: 'Open your earnings', path: '/earnings' },
      };
  }
}
