import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getStatementOptions } from '../../../client/portal/@tanstack/react-query.gen.ts';
import type { MonthlyStatement, StatementPayout } from '../../../client/portal/types.gen.ts';
import { Money } from '../../../ui/money.tsx';
import { t } from '../../../ui/text.ts';
import { formatUtcDay } from '../../../ui/when.tsx';
import { CreatorPage } from '../../creator-page.tsx';
import { Failing } from '../../failing.tsx';
import list from '../../list.module.css';
import { Back, FactList } from '../../list.tsx';
import { monthName } from '../../month-name.ts';
import { usePublisher } from '../../publisher.ts';
import { Skeletons } from '../../skeletons.tsx';
import { Downloads } from './downloads.tsx';
import { amountsOf, stateName } from './statement-words.ts';
import classes from './statements.module.css';

/** One statement: its amounts from the opening to the closing balance, and its payouts. */
export function StatementDetail({ statementId }: { statementId: string }) {
  const { publisherId } = usePublisher();
  const { data, error, refetch } = useQuery(
    getStatementOptions({ path: { statementId }, query: { publisher: publisherId } }),
  );
  return (
    <>
      <Back to="/statements">{t('All statements')}</Back>
      <CreatorPage title={data === undefined ? t('Statement') : monthName(data.month)}>
        {data !== undefined ? (
          <Detail statement={data} />
        ) : error !== null ? (
          <Failing error={error} title={t('Couldn’t load this statement')} onRetry={() => void refetch()} />
        ) : (
          <Skeletons heights={[44, 44, 44, 44, 44]} />
        )}
      </CreatorPage>
    </>
  );
}

function Detail({ statement }: { statement: MonthlyStatement }) {
  const { groupName, accountName, currency, issuedAt, payouts } = statement;
  return (
    <>
      <Text c="dimmed" mb="sm">
        {t('{group}, {creator}', { group: groupName, creator: accountName })}
      </Text>
      <Downloads statement={statement} />
      <FactList
        facts={amountsOf(statement).map(
          ([name, minor]) => [name, <Money key={name} minor={minor} currency={currency} isSigned />] as const,
        )}
      />
      {payouts.length > 0 && (
        <>
          <h2 className={list.section}>{t('Payouts')}</h2>
          <FactList
            facts={payouts.map(
              (payout) =>
                [
                  t('Payout {number}, {reference}', {
                    number: String(payout.number),
                    reference: payout.reference,
                  }),
                  <PayoutState key={payout.reference} payout={payout} currency={currency} />,
                ] as const,
            )}
          />
        </>
      )}
      <Text mt="md" size="sm" c="dimmed">
        {t(
          'Issued on {day}. Covers what was booked this month (UTC), including changes to earlier purchases, with payouts as of the end of the month. It never changes and isn’t a tax invoice.',
          { day: formatUtcDay(issuedAt.slice(0, 10)) },
        )}
      </Text>
    </>
  );
}

function PayoutState({
  payout: { amountMinor, state, paidAt },
  currency,
}: {
  payout: StatementPayout;
  currency: string;
}) {
  const isPaid = paidAt !== null && (state === 'Paid' || state === 'Sent');
  return (
    <>
      <Money minor={amountMinor} currency={currency} />
      <span className={classes.under}>
        {isPaid
          ? t('{state}, {day}', { state: stateName(state), day: formatUtcDay(paidAt.slice(0, 10)) })
          : stateName(state)}
      </span>
    </>
  );
}
