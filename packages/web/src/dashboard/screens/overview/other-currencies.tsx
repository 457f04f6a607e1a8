import { Paper, Title, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listRollupsOptions } from '../../../client/@tanstack/react-query.gen.ts';
import type { CurrencyOverview } from '../../../client/types.gen.ts';
import { Sparkline } from '../../../ui/charts/sparkline.tsx';
import { Money } from '../../../ui/money.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { usePublisher } from '../../session/session.ts';
import { formatChange, toneOfChange } from './change.ts';
import classes from './overview.module.css';
import { daysOf, type Period, todayAt } from './period.ts';

interface OtherCurrenciesProps {
  overviews: readonly CurrencyOverview[];
  period: Period;
  /** True to show the change since the period before. */
  isCompared: boolean;
  /** Makes a currency the first one shown. */
  onChoose(currency: string): void;
}

/** Currencies, one per line. A click shows a currency in full. */
export function OtherCurrencies({ overviews, period, isCompared, onChoose }: OtherCurrenciesProps) {
  const { publisherId, nowMs } = usePublisher();
  const { query } = useUrlState();
  const { data } = useQuery(
    listRollupsOptions({ path: { publisherId }, query: { group: query.group, ...period } }),
  );
  // Today's sums are unfinished, so a line that included them would always seem to fall at its end.
  const days = daysOf(period).filter((day) => day !== todayAt(nowMs()));
  const trendOf = (currency: string): number[] => {
    const sums = (data?.days ?? []).filter((each) => each.currency === currency);
    const grossByDay = new Map(sums.map(({ day, grossMinor }) => [day, Number(grossMinor)]));
    return days.map((day) => grossByDay.get(day) ?? 0);
  };
  return (
    <Paper withBorder p="md" component="section" aria-label={t('Other currencies')}>
      <Title order={2} size="h4" mb="xs">
        {t('Other currencies')}
      </Title>
      <ul className={classes.currencies}>
        <li className={classes.heads} aria-hidden>
          <span>{t('Sales')}</span>
          <span>{t('Earned')}</span>
        </li>
        {overviews.map(({ currency, now, finished, before }) => (
          <li key={currency}>
            <UnstyledButton className={classes.currency} onClick={() => onChoose(currency)}>
              <strong>{currency}</strong>
              {data === undefined ? <span /> : <Sparkline values={trendOf(currency)} color="accent" />}
              <Amount label={t('Sales')} minor={now.grossMinor} currency={currency} />
              {isCompared ? <Change now={finished.grossMinor} before={before.grossMinor} /> : <span />}
              <Amount label={t('Earned')} minor={now.shareMinor} currency={currency} />
            </UnstyledButton>
          </li>
        ))}
      </ul>
    </Paper>
  );
}

function Amount({ label, minor, currency }: { label: string; minor: string; currency: string }) {
  return (
    <span className={classes.amount}>
      <span className={classes.label}>{label} </span>
      <Money minor={minor} currency={currency} />
    </span>
  );
}

function Change({ now, before }: { now: string; before: string }) {
  return (
    <span className={`${classes.label} ${classes.figure} ${classes.change}`}>
      <span data-tone={toneOfChange(now, before)}>{formatChange(now, before) ?? t('no previous data')}</span>
    </span>
  );
}
