import type { Tone } from '../../../ui/status-badge.tsx';
import { t } from '../../../ui/text.ts';

/** The six rules, as people call them. */
export const ruleNames = (): Readonly<Record<string, string>> => ({
  sent: t('Percent sent with the purchase'),
  sku: t('Share of the SKU'),
  'scheduled-tier': t('Schedule, for the tier'),
  'scheduled-group': t('Schedule, for everybody'),
  tier: t('Tier'),
  group: t('Group default'),
});

/** What an entry of the ledger is about. */
export const entryNames = (): Readonly<Record<string, string>> => ({
  payment: t('Earned'),
  refund: t('Taken back before a payout'),
  adjustment: t('Taken back after a payout'),
  payout: t('Paid out'),
  'payout-return': t('Payout undone'),
});

export const statusNames = (): Readonly<Record<string, string>> => ({
  normal: t('Normal'),
  test: t('Test'),
  refund: t('Refund'),
  fraud: t('Fraud'),
  chargeback: t('Chargeback'),
});

export const originNames = (): Readonly<Record<string, string>> => ({
  api: t('API'),
  webshopCode: t('Web shop'),
  storefrontCode: t('Storefront'),
});

const tones: Readonly<Record<string, Tone>> = {
  Normal: 'good',
  Test: 'neutral',
  Refund: 'over',
  Fraud: 'bad',
  Chargeback: 'bad',
};

export const toneOf = (status: string): Tone => tones[status] ?? 'neutral';

export const statusName = (status: string): string => statusNames()[status.toLowerCase()] ?? status;
