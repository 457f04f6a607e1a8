import { Text } from '@mantine/core';
import { HintLine } from '../../../ui/hint-line.tsx';
import { t } from '../../../ui/text.ts';
import { When } from '../../../ui/when.tsx';
import { Caution } from './caution.tsx';
import { type ListPlace, ListThem } from './list-them.tsx';

interface PaymentsToCreate {
  currency: string;
  memberCount: number;
  withoutMethodCount: number;
  withoutMethodMinor: string;
}

/** Returns the amounts that payment files leave out, because their creators have no payout method for them. */
export const withoutMethodIn = (payments: readonly PaymentsToCreate[]) =>
  payments.flatMap(({ currency, withoutMethodCount, withoutMethodMinor: totalMinor }) =>
    withoutMethodCount > 0 ? { currency, totalMinor } : [],
  );

interface WithoutMethodProps {
  /** Payments to be created, by currency. */
  payments: readonly PaymentsToCreate[];
  /** Lists of the creators without a method. */
  places: readonly ListPlace[];
  /** Called when one of the lists is opened. */
  onFollow(): void;
}

/** Caution about payments that payment files leave out. The table of totals has their amounts. */
export function WithoutMethod({ payments, places, onFollow }: WithoutMethodProps) {
  const count = payments.reduce((sum, { withoutMethodCount }) => sum + withoutMethodCount, 0);
  const of = payments.reduce((sum, { memberCount }) => sum + memberCount, 0);
  if (count === 0) return null;
  return (
    <Caution>
      {count === of
        ? t(
            '{count, plural, one {This payment has no payout method, so it won’t be in a payment file.} other {None of these # payments has a payout method, so they won’t be in a payment file.}}',
            { count },
          )
        : t(
            '{count} of these {of} payments {count, plural, one {has no payout method, so it} other {have no payout method, so they}} won’t be in a payment file.',
            { count, of },
          )}{' '}
      <ListThem places={places} onFollow={onFollow} />
    </Caution>
  );
}

interface WhatHappensProps {
  asOf: string;
  isRun?: boolean;
  /** Number of payouts that the preview offers but that aren't created. */
  leftOutCount?: number;
}

/** Consequences of creating payouts: first what no longer works, then the next step. A hint has the details. */
export function WhatHappens({ asOf, isRun = false, leftOutCount = 0 }: WhatHappensProps) {
  return (
    <>
      <Text size="sm" component="div">
        <HintLine
          about={t('Payouts and refunds')}
          text={t('These purchases can’t be refunded until their payout is marked as paid or canceled.')}
        >
          <div>
            {t('Cutoff:')} <When at={asOf} precision="second" />
          </div>
          {isRun && <div>{t('Each group and currency gets its own payout.')}</div>}
          <div>{t('You can cancel a payout until you mark it as paid.')}</div>
          <div>{t('Canceling a payout makes its amounts due again and allows refunds.')}</div>
          <div>
            {t(
              'Once it’s marked as paid, claw back the creator’s share of refunded purchases. The next payout deducts it.',
            )}
          </div>
        </HintLine>
      </Text>
      <Text size="sm">
        {t(
          'Creating a payout sends no money. To pay, download a payment file for PayPal, Wise, or your bank.',
        )}
        {leftOutCount > 0 && (
          <>
            {' '}
            {t(
              '{count, plural, one {# payout is left out and stays due.} other {# payouts are left out and stay due.}}',
              { count: leftOutCount },
            )}
          </>
        )}
      </Text>
    </>
  );
}
