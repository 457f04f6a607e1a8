import type { ChangedPayoutMember, PayoutChange } from '../../../client/types.gen.ts';
import { t } from '../../../ui/text.ts';

/** Returns why a preview can no longer be paid, in a sentence. */
export function causeOf({ cause }: PayoutChange): string {
  switch (cause) {
    case 'payout':
      return t('Another payout for this group was created after the preview, so this one wasn’t created.');
    case 'terms':
      return t(
        'The hold period, the minimums or the sandbox clock changed after the preview, so no payout was created.',
      );
    default:
      return t('Some creators would now be paid different amounts, so no payout was created.');
  }
}

export const reasonWords = (): Readonly<Record<ChangedPayoutMember['reasons'][number], string>> => ({
  Refund: t('refund'),
  Fraud: t('fraud'),
  Chargeback: t('chargeback'),
  hold: t('hold placed'),
  release: t('hold released'),
  reinstatement: t('refund reinstated'),
  merge: t('creators merged'),
  purchases: t('new purchases'),
  bounties: t('bounties'),
  clawback: t('clawback'),
  minimum: t('now below the minimum'),
});
