import { Group, NativeSelect, Paper, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listRollupsOptions } from '../../../client/@tanstack/react-query.gen.ts';
import { DayChart } from '../../../ui/charts/day-chart.tsx';
import { LateSkeleton } from '../../../ui/late-skeleton.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { usePublisher } from '../../session/session.ts';
import { NotAvailable } from './load-errors.tsx';
import classes from './overview.module.css';
import { daysOf } from './period.ts';

interface TrendProps {
  period: { from: string; until: string };
  currencies: readonly string[];
}

/** Daily chart of one currency at a time, because two currencies don't share a scale. */
export function Trend({ period, currencies }: TrendProps) {
  const { publisherId } = usePublisher();
  const { query, setQuery } = useUrlState();
  const { data, error } = useQuery(
    listRollupsOptions({ path: { publisherId }, query: { group: query.group, ...period } }),
  );
  const currency = currencies.find((each) => each === query.currency) ?? currencies[0];
  if (data === undefined || currency === undefined)
    return (
      <Paper withBorder p="md" className={classes.trend}>
        {error === null ? <LateSkeleton /> : <NotAvailable />}
      </Paper>
    );
  const sums = new Map(
    data.days.filter((each) => each.currency === currency).map((each) => [each.day, each]),
  );
  const days = daysOf(period).map((day) => ({
    day,
    minor: { gross: sums.get(day)?.grossMinor ?? '0', share: sums.get(day)?.shareMinor ?? '0' },
  }));
  return (
    <Paper withBorder p="md" className={classes.trend} component="section" aria-label={t('By day')}>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          {t('By day')}
        </Title>
        {currencies.length > 1 && (
          <NativeSelect
            size="xs"
            aria-label={t('Chart currency')}
            data={[...currencies]}
            value={currency}
            onChange={({ currentTarget: { value } }) => setQuery({ currency: value })}
          />
        )}
      </Group>
      <DayChart
        label={t('Gross and shares in {currency}', { currency })}
        currency={currency}
        days={days}
        series={[
          { name: 'gross', label: t('Gross'), color: 'blue.7' },
          { name: 'share', label: t('Shares'), color: 'orange.7', strokeDasharray: '6 3' },
        ]}
      />
    </Paper>
  );
}
