import { List } from '@mantine/core';
import { t } from '../../../ui/text.ts';
import { When } from '../../../ui/when.tsx';

/** Consequences of creating payouts, in the order in which they matter. */
export function WhatHappens({ asOf, isRun = false }: { asOf: string; isRun?: boolean }) {
  return (
    <List size="sm" spacing={4}>
      <List.Item>
        {t('Cutoff:')} <When at={asOf} precision="second" />
      </List.Item>
      {isRun && <List.Item>{t('Each group and currency gets a payout of its own.')}</List.Item>}
      <List.Item>{t('Creating a payout sends no money. You send the CSV file to your bank.')}</List.Item>
      <List.Item>{t('The purchases can no longer be refunded through the API.')}</List.Item>
      <List.Item>{t('You can cancel a payout until you mark it as paid.')}</List.Item>
    </List>
  );
}
