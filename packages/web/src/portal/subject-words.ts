import type { NotificationSubject } from '../client/portal/types.gen.ts';
import { t } from '../ui/text.ts';

/** Returns the name of a subject of emails, and when the emails are sent. */
export function subjectWords(subject: NotificationSubject): { name: string; about: string } {
  switch (subject) {
    case 'paid':
      return { name: t('Payments'), about: t('When a publisher pays you.') };
    case 'returned':
      return { name: t('Returned payments'), about: t('When a payment fails or is returned.') };
    case 'membership':
      return { name: t('Approvals'), about: t('When a publisher approves, rejects, or removes you.') };
    case 'first-sale':
      return { name: t('First sale'), about: t('When someone uses your code for the first time.') };
    case 'bounty':
      return { name: t('Bounties'), about: t('When you complete a bounty for the first time.') };
  }
}
