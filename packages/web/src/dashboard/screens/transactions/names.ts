import type { Tone } from '../../../ui/status-badge.tsx';
import { t } from '../../../ui/text.ts';

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

/** Reasons for which an amount was taken back. */
const actionNames = (): Readonly<Record<string, string>> => ({
  Refund: t('Refund'),
  Fraud: t('Fraud'),
  Chargeback: t('Chargeback'),
});

export const originNames = (): Readonly<Record<string, string>> => ({
  api: t('API'),
  webshopCode: t('Web shop'),
  storefrontCode: t('Storefront'),
});

const tones: Readonly<Record<string, Tone>> = {
  Test: 'neutral',
  Refund: 'over',
  Fraud: 'bad',
  Chargeback: 'bad',
};

export const toneOf = (status: string): Tone => tones[status] ?? 'neutral';

export const actionName = (action: string): string => actionNames()[action] ?? action;
