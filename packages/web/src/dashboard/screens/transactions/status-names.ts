import { t } from '../../../ui/text.ts';
import { countedStatuses, reversedStatuses } from '../../purchases-of.ts';

const statusNames = (): Readonly<Record<string, string>> => ({
  normal: t('Completed'),
  test: t('Test'),
  refund: t('Refunded'),
  fraud: t('Fraud'),
  chargeback: t('Chargeback'),
});

/** Choices of the filter by status. Some cover several statuses. */
export const statusChoices = (): Readonly<Record<string, string>> => ({
  [countedStatuses]: t('All except tests'),
  ...statusNames(),
  [reversedStatuses]: t('All reversed'),
});

export const statusName = (status: string): string => statusNames()[status.toLowerCase()] ?? status;
