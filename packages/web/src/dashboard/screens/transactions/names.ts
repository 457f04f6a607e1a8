import type { Tone } from '../../../ui/status-badge.tsx';
import { t } from '../../../ui/text.ts';
import { countedStatuses, reversedStatuses } from '../../purchases-of.ts';

export const ruleNames = (): Readonly<Record<string, string>> => ({
  sent: t('Share sent with the purchase'),
  sku: t('SKU share'),
  'scheduled-tier': t('Tier schedule'),
  'scheduled-group': t('Group schedule'),
  tier: t('Tier'),
  group: t('Group default'),
});

export const entryNames = (): Readonly<Record<string, string>> => ({
  payment: t('Earned'),
  refund: t('Reversed before payout'),
  adjustment: t('Clawed back after payout'),
  reinstatement: t('Refund reinstated'),
  payout: t('Paid out'),
  'payout-return': t('Payout canceled'),
});

export const statusNames = (): Readonly<Record<string, string>> => ({
  normal: t('Normal'),
  test: t('Test'),
  refund: t('Refund'),
  fraud: t('Fraud'),
  chargeback: t('Chargeback'),
});

/** Choices of the filter by status. Some cover several statuses. */
export const statusChoices = (): Readonly<Record<string, string>> => ({
  [countedStatuses]: t('All but tests'),
  ...statusNames(),
  [reversedStatuses]: t('All reversed'),
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
