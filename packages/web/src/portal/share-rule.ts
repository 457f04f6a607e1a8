import type { ShareRule } from '../client/portal/types.gen.ts';
import { t } from '../ui/text.ts';

/** Returns the name of a rule, as a creator reads it. */
export function ruleName(rule: ShareRule, publisher: string): string {
  switch (rule) {
    case 'sent':
      return t('Set by {publisher} for this purchase', { publisher });
    case 'sku':
      return t('Share for the product');
    case 'scheduled-tier':
      return t('Schedule for your tier');
    case 'scheduled-group':
      return t('Schedule for everyone');
    case 'tier':
      return t('Your tier');
    case 'group':
      return t('Share for everyone');
  }
}
