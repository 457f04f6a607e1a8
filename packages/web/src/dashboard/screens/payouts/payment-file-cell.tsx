import type { PayoutItem } from '../../../client/types.gen.ts';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { t } from '../../../ui/text.ts';

/** Largest amount of a bank's payment file: 999,999,999.99 EUR. */
const maxSepaMinor = 99_999_999_999n;

/** Returns whether a payment file contains the payment. */
const isInFile = ({ method, amountMinor }: PayoutItem): boolean =>
  method !== null && (method.kind !== 'sepa' || BigInt(amountMinor) <= maxSepaMinor);

interface PaymentFileCellProps {
  item: PayoutItem;
  /** True if the payout is still to be paid. A payment without a file or a result is then an exception. */
  isToPay: boolean;
}

/** Kind of the file that contains a payment. */
export function PaymentFileCell({ item, isToPay }: PaymentFileCellProps) {
  if (!isInFile(item))
    return (
      <StatusBadge tone={isToPay && item.result === null ? 'waiting' : 'neutral'}>
        {t('Not in a file')}
      </StatusBadge>
    );
  switch (item.method?.kind) {
    case 'paypal':
      return 'PayPal';
    case 'wise-email':
      return 'Wise';
    default:
      return t('Bank (SEPA)');
  }
}
