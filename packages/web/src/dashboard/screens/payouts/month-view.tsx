import { ActionIcon, Group, NativeSelect, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { readPayoutMonthOptions } from '../../../client/@tanstack/react-query.gen.ts';
import type { Payout } from '../../../client/types.gen.ts';
import { DataTable, type ListedPage } from '../../../ui/data-table.tsx';
import { DownloadButton } from '../../../ui/download-button.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { LateSkeleton } from '../../../ui/skeletons.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { useNarrow } from '../../../ui/use-narrow.ts';
import { BeforeMoney } from '../../first-steps/lazy-before-money.ts';
import { usePublisher } from '../../session/session.ts';
import { Caution } from './caution.tsx';
import { byCurrency, isBookedElsewhere } from './compared-month.ts';
import { MonthSums, netText } from './month-sums.tsx';
import { monthFrom, monthName, monthOf, monthsToChoose } from './months.ts';
import { PartsPage } from './parts-page.tsx';
import { payoutColumns } from './payout-columns.tsx';
import { useComparison } from './use-comparison.ts';

const MonthComparison = lazy(() =>
  import('./month-comparison.tsx').then(({ MonthComparison }) => ({ default: MonthComparison })),
);

const monthPattern = /^\d{4}-(0[1-9]|1[0-2])$/;

export function MonthView() {
  const { publisherId, may, nowMs } = usePublisher();
  const thisMonth = monthOf(nowMs());
  // Finance closes a month after its end, so the page opens at the last month that is over.
  const lastEnded = monthFrom(thisMonth, -1);
  const { query, setQuery } = useUrlState();
  const month = query.month !== undefined && monthPattern.test(query.month) ? query.month : lastEnded;
  const asked = useQuery({
    ...readPayoutMonthOptions({ path: { publisherId }, query: { month, group: query.group } }),
    placeholderData: keepPreviousData,
  });
  const { data, error } = asked;
  const isNarrow = useNarrow();
  const mayZip = may('export') && may('payouts');
  const comparison = useComparison(data, query.group);
  const lines = comparison.asked.data?.lines;
  const hasSums = data !== undefined && data.sums.length > 0;
  const isEmpty = data !== undefined && data.sums.length + data.payouts.length === 0;
  const isElsewhere = hasSums && lines !== undefined && isBookedElsewhere(byCurrency(lines));
  // Without sums, the page says that the month had no activity, which is enough unless the files have amounts.
  const compared = data !== undefined && (hasSums || (lines !== undefined && lines.length > 0)) && (
    <Suspense>
      <MonthComparison key={`${data.month} ${query.group}`} month={data.month} comparison={comparison} />
    </Suspense>
  );
  const path = `/admin/v1/publishers/${encodeURIComponent(publisherId)}/payouts`;
  const go = (to: string): void => setQuery({ month: to === lastEnded ? null : to });
  return (
    <PartsPage
      here="month"
      about={[
        data && netText(data.sums),
        t('Amounts cover the month’s purchases and bounties, including later reversals.'),
      ]
        .filter(Boolean)
        .join(' ')}
      actions={
        <>
          {may('export') && (
            <DownloadButton
              path={`${path}/month.csv`}
              query={{ month, group: query.group }}
              label={t('Export month')}
            />
          )}
          {mayZip && (
            <DownloadButton
              path={`${path}/year.csv`}
              query={{ year: month.slice(0, 4) }}
              label={t('Export {year} payments', { year: month.slice(0, 4) })}
            />
          )}
        </>
      }
      mainAction={
        mayZip && (
          <DownloadButton
            isMain={month < thisMonth && !isElsewhere && !(isEmpty && lines?.length === 0)}
            path={`${path}/month.zip`}
            query={{ month }}
            label={t('Download month-end files')}
          />
        )
      }
    >
      <Stack gap="lg">
        <Group gap="xs" align="flex-end">
          <ActionIcon
            variant="default"
            size={36}
            aria-label={t('Previous month')}
            onClick={() => go(monthFrom(month, -1))}
          >
            <Icon name="left" size={16} />
          </ActionIcon>
          <NativeSelect
            label={t('Month (UTC)')}
            value={month}
            data={monthsToChoose(thisMonth, month).map((value) => ({ value, label: monthName(value) }))}
            data-filter
            onChange={({ currentTarget: { value } }) => go(value)}
          />
          <ActionIcon
            variant="default"
            size={36}
            aria-label={t('Next month')}
            disabled={month >= thisMonth}
            onClick={() => go(monthFrom(month, 1))}
          >
            <Icon name="right" size={16} />
          </ActionIcon>
          {month >= thisMonth && (
            <Group h={36}>
              <StatusBadge tone="waiting">{t('In progress: totals will change')}</StatusBadge>
            </Group>
          )}
        </Group>
        {error !== null && (
          <ErrorNotice
            error={error}
            title={t('Couldn’t load the month')}
            onRetry={() => void asked.refetch()}
          />
        )}
        {isElsewhere && (
          <Caution>
            {t(
              'The month-end files for {month} don’t contain these purchases. They were booked in another month, for example when imported.',
              { month: monthName(data.month) },
            )}
          </Caution>
        )}
        {data === undefined && error === null && <LateSkeleton />}
        {data !== undefined &&
          (isEmpty ? (
            <>
              <Suspense>
                <BeforeMoney icon="payouts" title={t('No activity in this month')}>
                  {t('There were no purchases and no paid payouts this month. Choose another month.')}
                </BeforeMoney>
              </Suspense>
              {compared}
            </>
          ) : (
            <>
              <MonthSums sums={data.sums} month={data.month} />
              {!isNarrow && compared}
              <Payouts
                page={{ ...asked, error: null, data: { rows: data.payouts, nextCursor: null } }}
                areMore={data.areMore}
              />
              {isNarrow && compared}
            </>
          ))}
      </Stack>
    </PartsPage>
  );
}

function Payouts({ page, areMore }: { page: ListedPage<Payout>; areMore: boolean }) {
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {t('Payouts in this month')}
      </Title>
      <DataTable
        label={t('Payouts in this month')}
        columns={payoutColumns()}
        page={page}
        rowKey={({ payoutId }) => payoutId}
        isLinked
        empty={<Text c="dimmed">{t('No payouts.')}</Text>}
      />
      {areMore && <Text size="sm">{t('Only some payouts are shown. The export includes up to 1,000.')}</Text>}
    </Stack>
  );
}
