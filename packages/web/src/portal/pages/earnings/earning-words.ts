import type { Earning } from '../../../client/portal/types.gen.ts';
import { t } from '../../../ui/text.ts';

/** Returns the part of the share that is left. */
export const netOf = ({ shareMinor, takenBackMinor }: Earning): string =>
  String(BigInt(shareMinor) - BigInt(takenBackMinor));

/** Describes the state of an earning in a few words. */
export function stateWords({ state, status, payout, takenBackMinor }: Earning): string {
  const number = String(payout?.number ?? '');
  switch (state) {
    case 'arriving':
      return t('Arriving');
    case 'earned':
      return takenBackMinor === '0' ? t('Earned') : t('Partly refunded');
    case 'in-payout':
      return t('In payout {number}', { number });
    case 'paid':
      return payout === null ? t('Paid') : t('Paid in payout {number}', { number });
    case 'owed-again':
      return t('Payout {number} was returned', { number });
    case 'taken-back':
      if (status === 'Chargeback') return t('Charged back');
      return status === 'Fraud' ? t('Marked as fraud') : t('Refunded');
  }
}
