import { Box } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listRollupsOptions } from '../../../client/@tanstack/react-query.gen.ts';
import type { DaySums } from '../../../client/types.gen.ts';
import { DayChart } from '../../../ui/charts/day-chart.tsx';
import { nextDay } from '../../../ui/dates/utc-days.ts';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { countedStatuses } from '../../purchases-of.ts';
import { ScreenLink, useGoToScreen } from '../../screen-link.tsx';
import { usePublisher } from '../../session/session.ts';
import { NotAvailable } from './load-errors.tsx';
import classes from './overview.module.css';
import { daysOf, type Period, todayAt } from './period.ts';
import { ChartSkeleton } from './skeletons.tsx';

interface TrendProps {
  period: Period;
  /** Days that the period is compared with; null without a comparison. */
  before: Period | null;
  currency: string;
}

/** Daily chart of one currency, because two currencies don't share a scale. */
export function Trend({ period, before, currency }: TrendProps) {
  const { publisherId, nowMs } = usePublisher();
  const { query } = useUrlState();
  const { data, error } = useQuery(
    listRollupsOptions({ path: { publisherId }, query: { group: query.group, ...period } }),
  );
  const compared = useQuery({
    ...listRollupsOptions({ path: { publisherId }, query: { group: query.group, ...(before ?? period) } }),
    enabled: before !== null,
  });
  const goTo = useGoToScreen();
  const purchasesOf = (day: string) => ({
    group: query.group,
    status: countedStatuses,
    currency,
    from: `${day}T00:00:00Z`,
    until: `${nextDay(day)}T00:00:00Z`,
  });
  if (data === undefined)
    return <Box className={classes.trend}>{error === null ? <ChartSkeleton /> : <NotAvailable />}</Box>;
  const sums = new Map(
    data.days.filter((each) => each.currency === currency).map((each) => [each.day, each]),
  );
  const found = grossOf(compared.data?.days ?? [], currency);
  const grossBefore = before === null || found.size === 0 ? null : found; // a line at zero would look like data
  const daysBefore = before === null ? [] : daysOf(before);
  const days = daysOf(period).map((day, at) => {
    const dayBefore = daysBefore[at]; // today has none, because it isn't compared
    return {
      day,
      minor: {
        gross: sums.get(day)?.grossMinor ?? '0',
        share: sums.get(day)?.shareMinor ?? '0',
        ...(grossBefore !== null && dayBefore !== undefined && { before: grossBefore.get(dayBefore) ?? '0' }),
      },
    };
  });
  return (
    <Box className={classes.trend}>
      <DayChart
        label={t('Sales and earned in {currency}', { currency })}
        currency={currency}
        days={days}
        unfinishedDay={todayAt(nowMs())}
        onOpen={(day) => goTo('transactions', purchasesOf(day))}
        dayLink={(day, content) => (
          <ScreenLink screen="transactions" query={purchasesOf(day)}>
            {content}
          </ScreenLink>
        )}
        series={[
          { name: 'gross', label: t('Sales'), color: 'accent', isFilled: true },
          { name: 'share', label: t('Earned'), color: 'orange', strokeDasharray: '6 3' },
          ...(grossBefore === null
            ? []
            : [
                {
                  name: 'before',
                  label: t('Previous sales'),
                  color: 'gray',
                  strokeDasharray: '2 3',
                },
              ]),
        ]}
      />
    </Box>
  );
}

/** Gross amounts of one currency, by day. */
const grossOf = (days: readonly DaySums[], currency: string): ReadonlyMap<string, string> =>
  new Map(days.filter((each) => each.currency === currency).map(({ day, grossMinor }) => [day, grossMinor]));
