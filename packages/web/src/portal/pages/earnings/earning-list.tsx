import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import {
  listEarningMonthsOptions,
  listEarningsQueryKey,
} from '../../../client/portal/@tanstack/react-query.gen.ts';
import { listEarnings } from '../../../client/portal/sdk.gen.ts';
import type { Earning, EarningMonth, EarningStatus } from '../../../client/portal/types.gen.ts';
import { Money } from '../../../ui/money.tsx';
import { usePreferences } from '../../../ui/preferences.ts';
import { t } from '../../../ui/text.ts';
import { formatWhen } from '../../../ui/when.tsx';
import { CreatorPage } from '../../creator-page.tsx';
import { Failing } from '../../failing.tsx';
import { Link } from '../../link.tsx';
import { LinkButton } from '../../link-button.tsx';
import list from '../../list.module.css';
import { More, RowLink } from '../../list.tsx';
import { monthName } from '../../month-name.ts';
import { usePlace } from '../../place.ts';
import { usePublisher } from '../../publisher.ts';
import { Skeletons } from '../../skeletons.tsx';
import { useRows } from '../../use-rows.ts';
import { EarningFilters } from './earning-filters.tsx';
import { netOf, stateWords } from './earning-words.ts';

/** Purchases that the creator earned from, by month, with each month's sums. */
export function EarningList() {
  const { publisherId } = usePublisher();
  const { query: place } = usePlace();
  const filter = {
    ...(place.month !== undefined && { month: place.month }),
    ...(place.code !== undefined && { code: place.code }),
    ...(place.currency !== undefined && { currency: place.currency }),
    ...(place.status !== undefined && { status: place.status as EarningStatus }),
  };
  const query = { publisher: publisherId, ...filter };
  const { rows, error, retry, more } = useRows<Earning>(
    [...listEarningsQueryKey({ query }), 'all'],
    async (cursor, signal) => {
      const { data } = await listEarnings({
        query: { ...query, ...(cursor !== undefined && { cursor }) },
        signal,
        throwOnError: true,
      });
      return data;
    },
  );
  const { data: sums } = useQuery(listEarningMonthsOptions({ query: { publisher: publisherId } }));
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <CreatorPage title={t('Earnings')}>
      <p className={list.links}>
        <Link to="/rates" className={list.back}>
          {t('Your rates')} <span aria-hidden="true">›</span>
        </Link>
        <Link to="/bounties" className={list.back}>
          {t('Bounties')} <span aria-hidden="true">›</span>
        </Link>
      </p>
      <EarningFilters months={sums?.rows ?? []} isShown={isFiltered || (rows?.length ?? 0) > 0} />
      {rows !== undefined ? (
        <>
          {rows.length === 0 && <Empty isFiltered={isFiltered} />}
          <Months rows={rows} sums={hasOnlyMonth(filter) ? (sums?.rows ?? []) : []} />
          <More more={more} error={error} retry={retry} />
        </>
      ) : error !== null ? (
        <Failing error={error} title={t('Couldn’t load your earnings')} onRetry={retry} />
      ) : (
        <Skeletons heights={[28, 56, 56, 56, 56]} />
      )}
    </CreatorPage>
  );
}

/** The sums of a month are those of the list only without other filters. */
const hasOnlyMonth = (filter: object): boolean => Object.keys(filter).every((name) => name === 'month');

function Months({ rows, sums }: { rows: readonly Earning[]; sums: readonly EarningMonth[] }) {
  const byMonth = Map.groupBy(rows, ({ transactionDate }) => transactionDate.slice(0, 7));
  return [...byMonth].map(([month, earnings]) => (
    <section key={month}>
      <h2 className={list.heading}>
        {monthName(month)}
        <span className={list.sums}>
          {sums
            .filter((each) => each.month === month)
            .map(({ currency, shareMinor }) => (
              <Money key={currency} minor={shareMinor} currency={currency} isSigned />
            ))}
        </span>
      </h2>
      <ul className={list.list}>
        {earnings.map((earning) => (
          <Row key={earning.earningId} earning={earning} />
        ))}
      </ul>
    </section>
  ));
}

function Row({ earning }: { earning: Earning }) {
  const { zone } = usePreferences();
  const { earningId, description, transactionDate, code, currency } = earning;
  return (
    <RowLink
      to={`/earnings/${earningId}`}
      title={description === '' ? t('Purchase') : description}
      facts={[formatWhen(transactionDate, zone, 'shortMinute'), code, stateWords(earning)]}
      amount={<Money minor={netOf(earning)} currency={currency} isSigned />}
    />
  );
}

function Empty({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <Text mt="md">{t('No purchase matches these filters.')}</Text>;
  return (
    <div className={list.card}>
      <Text fw={600}>{t('No earnings yet')}</Text>
      <Text c="dimmed" mb="md">
        {t('Share your code. Purchases with it appear here within seconds.')}
      </Text>
      <LinkButton to="/codes">{t('Show my codes')}</LinkButton>
    </div>
  );
}
