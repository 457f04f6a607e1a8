import { Box, SegmentedControl, Stack } from '@mantine/core';
import { keepPreviousData, type UseQueryResult, usePrefetchQuery, useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { getOverviewOptions, listRollupsOptions } from '../../../client/@tanstack/react-query.gen.ts';
import { LateSkeleton } from '../../../ui/late-skeleton.tsx';
import { ScreenPage } from '../../../ui/screen-page.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { formatUtcDay } from '../../../ui/when.tsx';
import { FirstStepsGate } from '../../first-steps/first-steps-gate.tsx';
import { FirstPurchase } from '../../first-steps/lazy-first-purchase.ts';
import { usePublisher } from '../../session/session.ts';
import { AttentionList } from './attention-list.tsx';
import { CurrencyCard } from './currency-card.tsx';
import { LiveTail } from './live-tail.tsx';
import classes from './overview.module.css';
import { lastDays, periods } from './period.ts';
import { TopCreators } from './top-creators.tsx';
import { Trend } from './trend.tsx';
import { Trouble } from './trouble.tsx';
import { useAttention } from './use-attention.ts';

/** How the program does: sums, what needs somebody, and purchases as they come in. */
export function Screen() {
  const { publisherId, nowMs } = usePublisher();
  const { query, setQuery } = useUrlState();
  const days = periods.find((each) => each === query.days) ?? '28';
  const period = lastDays(Number(days), nowMs());
  const asked = { path: { publisherId }, query: { group: query.group, ...period } };
  const overview = useQuery({
    ...getOverviewOptions(asked),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  });
  // The chart is drawn when its currencies are known; its days are asked for at once.
  usePrefetchQuery(listRollupsOptions(asked));
  const { data } = overview;
  const attention = useAttention();
  // Both stand above the rest, which would move when one came later: they are shown together.
  const isAwaited = isOnItsWay(overview) || isOnItsWay(attention);
  // What is bought most in stands first: nobody looks for their own currency below others.
  const sums = [...(data?.currencies ?? [])].sort((a, b) => Number(b.now.rowCount) - Number(a.now.rowCount));
  const currencies = sums.map(({ currency }) => currency);
  return (
    <ScreenPage
      title={t('Overview')}
      about={t('{from} to today, UTC days, against the {days} days before', {
        from: formatUtcDay(period.from),
        days,
      })}
      actions={
        <SegmentedControl
          aria-label={t('Days')}
          value={days}
          onChange={(value) => setQuery({ days: value === '28' ? null : value })}
          data={periods.map((each) => ({ value: each, label: t('{days} days', { days: each }) }))}
        />
      }
    >
      <Trouble />
      <FirstStepsGate />
      {/* What needs somebody is read first; on a wide window it stands beside the sums. */}
      <Box className={classes.columns} data-awaited={isAwaited || undefined}>
        {isAwaited && (
          <Box className={classes.awaited}>
            <LateSkeleton />
          </Box>
        )}
        <Box className={classes.attention}>
          <AttentionList />
        </Box>
        <Stack className={classes.sums}>
          {data?.currencies.length === 0 && (
            <Suspense>
              <FirstPurchase icon="overview" title={t('No purchase counts yet in these days')} />
            </Suspense>
          )}
          {sums.map((each) => (
            <CurrencyCard key={each.currency} overview={each} />
          ))}
          {currencies.length > 0 && <Trend period={period} currencies={currencies} />}
          <LiveTail />
        </Stack>
        <TopCreators period={period} currencies={currencies} />
      </Box>
    </ScreenPage>
  );
}

/** Not answered yet, and not failed either. */
const isOnItsWay = ({ isPending, failureCount }: UseQueryResult<unknown, unknown>): boolean =>
  isPending && failureCount === 0;
