import type { PayeeMethodKind, PayoutItem } from '../../../client/types.gen.ts';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { t } from '../../../ui/text.ts';
import { kindWord } from '../../payees/method-note.tsx';

interface PaymentFileCellProps {
  item: PayoutItem;
  /** True if the payout is still to be paid. A payment without a file or a result is then an exception. */
  isToPay: boolean;
}

/** Kind of the file that contains a payment. */
export function PaymentFileCell({ item: { method, isWithoutFile, result }, isToPay }: PaymentFileCellProps) {
  if (isWithoutFile || method === null)
    return (
      <StatusBadge tone={isToPay && result === null ? 'waiting' : 'neutral'}>
        {t('Not in a file')}
      </StatusBadge>
    );
  return kindWord(method.kind as PayeeMethodKind);
}
