import type { Payout } from '../../../client/types.gen.ts';
import { StatusBadge, type Tone } from '../../../ui/status-badge.tsx';
import { msg, t } from '../../../ui/text.ts';

const words: Readonly<Record<Payout['status'], readonly [Tone, string]>> = {
  Preparing: ['running', msg('Preparing')],
  Created: ['waiting', msg('To be paid')],
  Paid: ['good', msg('Paid')],
  Cancelling: ['running', msg('Canceling')],
  Cancelled: ['over', msg('Canceled')],
};

export function PayoutStatus({ status }: { status: Payout['status'] }) {
  const [tone, word] = words[status];
  return <StatusBadge tone={tone}>{t(word)}</StatusBadge>;
}

export const payoutWord = (status: Payout['status']): string => t(words[status][1]);

/** Returns whether the payout has steps left and must therefore be polled. */
export const isUnderWay = ({ status }: Pick<Payout, 'status'>): boolean =>
  status === 'Preparing' || status === 'Cancelling';
