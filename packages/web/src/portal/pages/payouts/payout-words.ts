import type { PaymentResult, PayoutOfCreator } from '../../../client/portal/types.gen.ts';
import { t } from '../../../ui/text.ts';

/** Returns the name of a payout's state. */
export function stateTitle({ state, method }: Pick<PayoutOfCreator, 'state' | 'method'>): string {
  switch (state) {
    case 'created':
      return t('Processing');
    case 'sent':
      return t('Sent');
    case 'paid':
      return t('Paid');
    case 'failed':
      return t('Payment failed');
    case 'returned':
      return method === null || method.kind === 'sepa' ? t('Returned by your bank') : t('Payment returned');
    case 'canceled':
      return t('Canceled');
  }
}

/** Explains a payout's state, and what the creator can do. */
export function stateNote({ state, method }: PayoutOfCreator, publisher: string): string | null {
  switch (state) {
    case 'created':
      return t('{publisher} has created this payout but hasn’t marked it as paid yet.', { publisher });
    case 'sent':
      return t('{publisher} has sent the money. It can take a few days to arrive.', { publisher });
    case 'paid':
      return null;
    case 'failed':
    case 'returned':
      return method === null
        ? t('Check your payout method. If it’s right, ask {publisher}.', { publisher })
        : t('Check your payout method, {hint}. If it’s right, ask {publisher}.', {
            publisher,
            hint: method.hint,
          });
    case 'canceled':
      return t('{publisher} canceled this payout. The amount is in your balance again.', { publisher });
  }
}

export function resultName(result: PaymentResult): string {
  switch (result) {
    case 'Sent':
      return t('Sent');
    case 'Paid':
      return t('Paid');
    case 'Failed':
      return t('Payment failed');
    case 'Returned':
      return t('Returned');
  }
}
