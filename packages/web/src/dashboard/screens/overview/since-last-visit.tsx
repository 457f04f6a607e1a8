import { Trans } from '@lingui/react';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getOverviewOptions } from '../../../client/@tanstack/react-query.gen.ts';
import type { Overview } from '../../../client/types.gen.ts';
import { nextDay } from '../../../ui/dates/utc-days.ts';
import { formatMoney } from '../../../ui/money.tsx';
import { formatCount } from '../../../ui/percent.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { formatUtcDay } from '../../../ui/when.tsx';
import { countedStatuses } from '../../purchases-of.ts';
import { ScreenLink } from '../../screen-link.tsx';
import { usePublisher } from '../../session/session.ts';
import { todayAt } from './period.ts';

/** Maximum number of currencies in the line. */
const maxCurrencies = 3;

/** Loads the sums since the day of the last visit. @param visitMs null if there is nothing to show */
export function useSinceVisit(visitMs: number | null) {
  const { publisherId, nowMs } = usePublisher();
  const { group } = useUrlState().query;
  const from = todayAt(visitMs ?? nowMs());
  return useQuery({
    ...getOverviewOptions({
      path: { publisherId },
      query: { group, from, until: nextDay(todayAt(nowMs())) },
    }),
    enabled: visitMs !== null,
    refetchInterval: 30_000,
  });
}

/**
 * Line that states what happened since the day of the last visit. Sums are by UTC day, so the day of the visit is
 * included.
 */
export function SinceLastVisit({ sums, currency }: { sums: Overview; currency: string | undefined }) {
  const { group } = useUrlState().query;
  const found = sums.currencies
    .filter(({ now }) => now.rowCount !== '0')
    .sort((a, b) => Number(b.currency === currency) - Number(a.currency === currency));
  const shown = found
    .slice(0, maxCurrencies)
    .map((each) => formatMoney(each.now.shareMinor, each.currency))
    .join(', ');
  const more = found.length - maxCurrencies;
  const count = found.reduce((sum, { now }) => sum + Number(now.rowCount), 0);
  const values = {
    day: formatUtcDay(sums.period.from),
    count,
    total: formatCount(count),
    shares:
      more > 0
        ? t('{shares} and {more, plural, one {# more currency} other {# more currencies}}', {
            shares: shown,
            more,
          })
        : shown,
  };
  // The count covers all currencies, so the list has no filter by currency.
  const purchases = {
    group,
    status: countedStatuses,
    from: `${sums.period.from}T00:00:00Z`,
    until: `${sums.period.until}T00:00:00Z`,
  };
  return (
    <Text size="sm" c="dimmed" mb="md">
      {count === 0 ? (
        t('Since your last visit on {day} (whole UTC day): no purchases.', values)
      ) : (
        <Trans
          id="Since your last visit on {day} (whole UTC day): <0>{count, plural, one {{total} purchase} other {{total} purchases}}</0>, with shares of {shares}."
          values={values}
          components={{ 0: <ScreenLink isInText screen="transactions" query={purchases} /> }}
        />
      )}
    </Text>
  );
}
