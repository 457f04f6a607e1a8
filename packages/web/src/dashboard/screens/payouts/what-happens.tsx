import { List } from '@mantine/core';
import { t } from '../../../ui/text.ts';
import { When } from '../../../ui/when.tsx';

/** Consequences of creating payouts, in the order in which they matter. */
export function WhatHappens({
  asOf,
  isRun = false,
  withoutMethodCount,
}: {
  asOf: string;
  isRun?: boolean;
  /** Number of payments to creators who have no payout method for them. */
  withoutMethodCount: number;
}) {
  return (
    <List size="sm" spacing={4}>
      <List.Item>
        {t('Cutoff:')} <When at={asOf} precision="second" />
      </List.Item>
      {withoutMethodCount > 0 && (
        <List.Item>
          {t(
            '{count, plural, one {# payment has} other {# payments have}} no payout method. Payment files leave {count, plural, one {it} other {them}} out.',
            { count: withoutMethodCount },
          )}
        </List.Item>
      )}
      {isRun && <List.Item>{t('Each group and currency gets a payout of its own.')}</List.Item>}
      <List.Item>
        {t(
          'Creating a payout sends no money. Download a payment file for PayPal, Wise, or your bank, and pay with it.',
        )}
      </List.Item>
      <List.Item>
        {t(
          'You can cancel a payout until you mark it as paid. Until then, refunds of its purchases are rejected. Canceling allows them again.',
        )}
      </List.Item>
      <List.Item>
        {t(
          'Once it is marked as paid, claw back the creator’s share of a refunded purchase. The next payout deducts it.',
        )}
      </List.Item>
    </List>
  );
}
