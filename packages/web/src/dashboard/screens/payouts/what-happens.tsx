import { Text } from '@mantine/core';
import { HintLine } from '../../../ui/hint-line.tsx';
import { t } from '../../../ui/text.ts';
import { When } from '../../../ui/when.tsx';
import { Caution } from './caution.tsx';
import { type ListPlace, NotInFile } from './not-in-file.tsx';

interface WithoutMethodProps {
  /** Payments to be created, by currency. */
  payments: readonly {
    currency: string;
    memberCount: number;
    withoutMethodCount: number;
    withoutMethodMinor: string;
  }[];
  /** Lists of the creators without a method. */
  places: readonly ListPlace[];
  /** Called when one of the lists is opened. */
  onFollow(): void;
}

/** Caution about payments that payment files leave out, because their creators have no payout method for them. */
export function WithoutMethod({ payments, places, onFollow }: WithoutMethodProps) {
  const count = payments.reduce((sum, { withoutMethodCount }) => sum + withoutMethodCount, 0);
  const of = payments.reduce((sum, { memberCount }) => sum + memberCount, 0);
  if (count === 0) return null;
  return (
    <Caution>
      <div>
        {count === of
          ? t(
              '{count, plural, one {This payment can’t go into a payment file, because the creator has no payout method.} other {None of these # payments can go into a payment file, because no creator has a payout method.}}',
              { count },
            )
          : t(
              '{count} of these {of} payments can’t go into a payment file, because {count, plural, one {its creator has} other {their creators have}} no payout method for {count, plural, one {it} other {them}}.',
              { count, of },
            )}
      </div>
      <NotInFile
        amounts={payments.flatMap(({ currency, withoutMethodCount, withoutMethodMinor: totalMinor }) =>
          withoutMethodCount > 0 ? { currency, totalMinor } : [],
        )}
        places={places}
        onFollow={onFollow}
      />
    </Caution>
  );
}

/** Consequences of creating payouts: first what no longer works, then the next steps. A hint has the details. */
export function WhatHappens({ asOf, isRun = false }: { asOf: string; isRun?: boolean }) {
  return (
    <>
      <Caution>
        {t('You can’t record refunds of these purchases until their payout is marked as paid or canceled.')}
      </Caution>
      <Text size="sm">
        {t(
          'Creating a payout sends no money. Download a payment file for PayPal, Wise, or your bank, and pay with it.',
        )}
      </Text>
      <Text size="sm" component="div">
        <HintLine
          about={t('Payouts and refunds')}
          text={t('You can cancel a payout until you mark it as paid.')}
        >
          <div>
            {t('Cutoff:')} <When at={asOf} precision="second" />
          </div>
          {isRun && <div>{t('Each group and currency gets a payout of its own.')}</div>}
          <div>{t('Canceling a payout makes its amounts due again, and allows refunds.')}</div>
          <div>
            {t(
              'Once it is marked as paid, claw back the creator’s share of a refunded purchase. The next payout deducts it.',
            )}
          </div>
        </HintLine>
      </Text>
    </>
  );
}
