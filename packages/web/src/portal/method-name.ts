import { t } from '../ui/text.ts';

/** Returns the name of a kind of payout method, as a creator reads it. */
export function methodName(kind: string): string {
  if (kind === 'paypal') return 'PayPal';
  return kind === 'wise-email' ? 'Wise' : t('Bank account');
}
