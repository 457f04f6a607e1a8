import { t } from '../../../ui/text.ts';

/** Label of a button that creates payouts, with their number. */
export const createLabel = (count: number): string =>
  t('{count, plural, one {Create payout} other {Create # payouts}}', { count: Math.max(1, count) });
