import { Box, Paper, Stack, Text } from '@mantine/core';
import type { Ref } from 'react';
import type { ComparedDays, CurrencyOverview, PurchaseSums } from '../../../client/types.gen.ts';
import { formatMoney, Money, negated } from '../../../ui/money.tsx';
import { formatCount } from '../../../ui/percent.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { FigureLink } from '../../figure-link.tsx';
import { countedStatuses, purchasesOf, reversedStatuses } from '../../purchases-of.ts';
import { ScreenLink } from '../../screen-link.tsx';
import { formatChange, isPartly, toneOfChange } from './change.ts';
import classes from './overview.module.css';
import type { Comparison, Period } from './period.ts';
import { Trend } from './trend.tsx';

interface CurrencyCardProps {
  overview: CurrencyOverview;
  period: Period;
  comparison: Comparison;
  /** Days that are compared; null without a comparison. */
  compared: ComparedDays | null;
  /** True if no other currency has purchases in the period. */
  isOnlyCurrency: boolean;
  /** Receives the card, so that the screen can focus it. */
  ref: Ref<HTMLElement>;
}

/** Figures of one currency with their chart. */
export function CurrencyCard({
  overview: { currency, now, finished, before },
  period,
  comparison,
  compared,
  isOnlyCurrency,
  ref,
}: CurrencyCardProps) {
  const { group } = useUrlState().query;
  const changeOf = (sum: keyof PurchaseSums) =>
    compared === null
      ? null
      : { now: finished[sum], before: before[sum], against: isPartly(compared, period) ? comparison : null };
  const purchases = (status: string) => purchasesOf({ group, ...period, status, currency, isOnlyCurrency });
  const counted = now.rowCount === '0' ? null : purchases(countedStatuses);
  return (
    <Paper
      ref={ref as Ref<HTMLDivElement>}
      tabIndex={-1}
      withBorder
      p="md"
      component="section"
      className={classes.card}
      aria-label={t('Totals in {currency}', { currency })}
    >
      <Box className={classes.figures}>
        <Figure
          label={t('Sales')}
          now={now.grossMinor}
          change={changeOf('grossMinor')}
          currency={currency}
          purchases={counted}
        />
        <Figure
          label={t('Earned')}
          now={now.shareMinor}
          change={changeOf('shareMinor')}
          currency={currency}
          purchases={counted}
        />
        <Figure
          label={t('Reversed')}
          now={negated(now.reversedShareMinor)}
          change={changeOf('reversedShareMinor')}
          isBetterLower
          currency={currency}
          purchases={now.reversedShareMinor === '0' ? null : purchases(reversedStatuses)}
        />
        <Stack gap={2}>
          <Text size="sm" c="dimmed">
            {t('Purchases in {currency}', { currency })}
          </Text>
          <Text fw={600} size="xl" className={`${classes.figure} ${classes.sum}`}>
            <FigureLink screen="transactions" query={counted}>
              {formatCount(BigInt(now.rowCount))}
            </FigureLink>
          </Text>
          <Change change={changeOf('rowCount')} isCount format={(count) => formatCount(BigInt(count))} />
        </Stack>
      </Box>
      <Text size="xs" c="dimmed" mt={8}>
        {t(
          'Sales and Earned include purchases that were reversed later. Reversals and clawbacks count on the day of the purchase.',
        )}{' '}
        <ScreenLink screen="payouts/taken-back" query={{ group }} isInText>
          {t('View clawbacks')}
        </ScreenLink>
      </Text>
      <Trend period={period} before={compared?.before ?? null} currency={currency} />
    </Paper>
  );
}

/** Values to compare, and the comparison to name instead of the earlier value. Null without a comparison. */
type Compared = { now: string; before: string; against: Comparison | null } | null;

interface FigureProps {
  label: string;
  now: string;
  change: Compared;
  /** True if less is better, as for reversals. */
  isBetterLower?: boolean;
  currency: string;
  /** Filters that list the sum's purchases; null if there are none. */
  purchases: Readonly<Record<string, string | undefined>> | null;
}

function Figure({ label, now, change, isBetterLower = false, currency, purchases }: FigureProps) {
  return (
    <Stack gap={2}>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text fw={600} size="xl" component="div" className={classes.sum}>
        <FigureLink screen="transactions" query={purchases}>
          <Money minor={now} currency={currency} isSigned />
        </FigureLink>
      </Text>
      <Change
        change={change}
        isBetterLower={isBetterLower}
        format={(minor) => formatMoney(isBetterLower ? negated(minor) : minor, currency)}
      />
    </Stack>
  );
}

interface ChangeProps {
  change: Compared;
  isBetterLower?: boolean;
  /** True for a number of things, which is fewer rather than less. */
  isCount?: boolean;
  format(value: string): string;
}

/**
 * Change from an earlier value. Its color shows whether it is good. If today is left out, the earlier value isn't shown,
 * because the figure above includes today.
 */
function Change({ change: compared, isBetterLower = false, isCount = false, format }: ChangeProps) {
  if (compared === null) return null;
  const { now, before, against } = compared;
  const change = formatChange(now, before, isCount);
  return (
    <Text size="sm" c="dimmed" component="div" className={classes.change}>
      {change === null ? (
        t('no previous data')
      ) : (
        <>
          <span data-tone={toneOfChange(now, before, isBetterLower)}>{change}</span>{' '}
          <span>
            {against === null
              ? t('vs. {was}', { was: format(before) })
              : against === 'year'
                ? t('vs. a year earlier')
                : t('vs. previous period')}
          </span>
        </>
      )}
    </Text>
  );
}
