import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listStatementsOptions } from '../../../client/portal/@tanstack/react-query.gen.ts';
import type { MonthlyStatement } from '../../../client/portal/types.gen.ts';
import { formatMoney, Money } from '../../../ui/money.tsx';
import { t } from '../../../ui/text.ts';
import { CreatorPage } from '../../creator-page.tsx';
import { Failing } from '../../failing.tsx';
import { LinkButton } from '../../link-button.tsx';
import list from '../../list.module.css';
import { Back, RowLink } from '../../list.tsx';
import { monthName } from '../../month-name.ts';
import { usePublisher } from '../../publisher.ts';
import { Skeletons } from '../../skeletons.tsx';
import { Downloads } from './downloads.tsx';
import { earnedOf, paidOutOf } from './statement-words.ts';
import classes from './statements.module.css';

/** The creator's monthly statements, latest month first, with what was earned in each month. */
export function StatementList() {
  const { publisherId, name } = usePublisher();
  const { data, error, refetch } = useQuery(listStatementsOptions({ query: { publisher: publisherId } }));
  return (
    <>
      <Back to="/payouts">{t('Payouts')}</Back>
      <CreatorPage title={t('Statements')}>
        {data !== undefined ? (
          <>
            {data.rows.length === 0 ? <Empty /> : <Months rows={data.rows} />}
            {data.areMore && (
              <Text mt="md">
                {t('Older statements aren’t listed. Ask {publisher} for them.', { publisher: name })}
              </Text>
            )}
          </>
        ) : error !== null ? (
          <Failing error={error} title={t('Couldn’t load your statements')} onRetry={() => void refetch()} />
        ) : (
          <Skeletons heights={[28, 56, 44, 28, 56, 44]} />
        )}
      </CreatorPage>
    </>
  );
}

function Months({ rows }: { rows: readonly MonthlyStatement[] }) {
  const hasAccounts = new Set(rows.map(({ accountId }) => accountId)).size > 1;
  return [...Map.groupBy(rows, ({ month }) => month)].map(([month, statements]) => (
    <section key={month}>
      <h2 className={list.heading}>{monthName(month)}</h2>
      {statements.length > 1 && (
        <Text size="sm" c="dimmed">
          {t('Total earned: {amounts}', { amounts: earnedInAll(statements).join(', ') })}
        </Text>
      )}
      <ul className={`${list.list} ${classes.statements}`}>
        {statements.map((statement) => (
          <Row key={statement.statementId} statement={statement} hasAccounts={hasAccounts} />
        ))}
      </ul>
    </section>
  ));
}

/** Returns the sums of statements, one for each currency. */
const earnedInAll = (statements: readonly MonthlyStatement[]): string[] =>
  [...Map.groupBy(statements, ({ currency }) => currency)].map(([currency, each]) =>
    formatMoney(String(each.reduce((sum, statement) => sum + earnedOf(statement), 0n)), currency),
  );

function Row({ statement, hasAccounts }: { statement: MonthlyStatement; hasAccounts: boolean }) {
  const { statementId, groupName, accountName, currency, closingMinor } = statement;
  const paidOut = paidOutOf(statement);
  return (
    <>
      <RowLink
        to={`/statements/${statementId}`}
        title={groupName}
        facts={[
          ...(hasAccounts ? [accountName] : []),
          t('Earned {amount}', { amount: formatMoney(String(earnedOf(statement)), currency) }),
          ...(paidOut === 0n
            ? []
            : [t('Added to payouts {amount}', { amount: formatMoney(String(-paidOut), currency) })]),
        ]}
        amount={
          <>
            <Money minor={closingMinor} currency={currency} isSigned />
            <span className={classes.under}>{t('Closing balance')}</span>
          </>
        }
      />
      <li>
        <Downloads statement={statement} />
      </li>
    </>
  );
}

function Empty() {
  const { name } = usePublisher();
  return (
    <div className={list.card}>
      <Text fw={600}>{t('No statements yet')}</Text>
      <Text c="dimmed" mb="md">
        {t('You get a statement at the end of each month (UTC) with activity at {publisher}.', {
          publisher: name,
        })}
      </Text>
      <LinkButton to="/earnings">{t('Show my earnings')}</LinkButton>
    </div>
  );
}
