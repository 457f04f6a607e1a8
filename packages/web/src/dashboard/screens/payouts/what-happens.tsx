import { List } from '@mantine/core';
import { t } from '../../../ui/text.ts';
import { When } from '../../../ui/when.tsx';
import { Caution } from './caution.tsx';

/** Caution about payments that payment files leave out, because their creators have no payout method for them. */
export function WithoutMethod({ count, of }: { count: number; of: number }) {
  if (count === 0) return null;
  return (
    <Caution>
      {count === of
        ? t(
            '{count, plural, one {This payment can’t go into a payment file, because the creator has no payout method.} other {None of these # payments can go into a payment file, because no creator has a payout method.}}',
            { count },
          )
        : t(
            '{count} of these {of} payments can’t go into a payment file, because {count, plural, one {its creator has} other {their creators have}} no payout method for {count, plural, one {it} other {them}}.',
            { count, of },
          )}
    </Caution>
  );
}

/** Consequences of creating payouts, in the order in which they matter. */
export function WhatHappens({ asOf, isRun = false }: { asOf: string; isRun?: boolean }) {
  return (
    <List size="sm" spacing={4}>
      <List.Item>
        {t('Cutoff:')} <When at={asOf} precision="second" />
      </List.Item>
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
