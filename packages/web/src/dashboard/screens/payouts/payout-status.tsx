import type { Payout } from '../../../client/types.gen.ts';
import { StatusBadge, type Tone } from '../../../ui/status-badge.tsx';
import { msg, t } from '../../../ui/text.ts';

const words: Readonly<Record<Payout['status'], readonly [Tone, string]>> = {
  Preparing: ['running', msg('Being made')],
  Created: ['waiting', msg('To be paid')],
  Paid: ['good', msg('Paid')],
  Cancelling: ['running', msg('Being cancelled')],
  Cancelled: ['over', msg('Cancelled')],
};

/** Where a payout stands. */
export function PayoutStatus({ status }: { status: Payout['status'] }) {
  const [tone, word] = words[status];
  return <StatusBadge tone={tone}>{t(word)}</StatusBadge>;
}

export const payoutWord = (status: Payout['status']): string => t(words[status][1]);

/** Whether steps of it are left, so that it is looked at again soon. */
export const isUnderWay = ({ status }: Pick<Payout, 'status'>): boolean =>
  status === 'Preparing' || status === 'Cancelling';
