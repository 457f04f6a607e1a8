import { Box, Paper, Stack, Text } from '@mantine/core';
import type { Ref } from 'react';
import type { CurrencyOverview } from '../../../client/types.gen.ts';
import { formatMoney, Money } from '../../../ui/money.tsx';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { FigureLink } from '../../figure-link.tsx';
import { countedStatuses, purchasesOf, reversedStatuses } from '../../purchases-of.ts';
import { formatChange, toneOfChange } from './change.ts';
import classes from './overview.module.css';
import type { Period } from './period.ts';
import { Trend } from './trend.tsx';

interface CurrencyCardProps {
  overview: CurrencyOverview;
  period: Period;
  /** Days that the period is compared with; null without a comparison. */
  compared: Period | null;
  /** True if no other currency has purchases in the period. */
  isOnlyCurrency: boolean;
  /** Receives the card, so that the screen can focus it. */
  ref: Ref<HTMLElement>;
}

/** Figures of one currency with their chart. */
export function CurrencyCard({
  overview: { currency, now, before },
  period,
  compared,
  isOnlyCurrency,
  ref,
}: CurrencyCardProps) {
  const { group } = useUrlState().query;
  const isCompared = compared !== null;
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
          before={isCompared ? before.grossMinor : null}
          currency={currency}
          purchases={counted}
        />
        <Figure
          label={t('Earned')}
          now={now.shareMinor}
          before={isCompared ? before.shareMinor : null}
          currency={currency}
          purchases={counted}
        />
        <Figure
          label={t('Reversed')}
          now={now.reversedShareMinor}
          before={isCompared ? before.reversedShareMinor : null}
          isBetterLower
          currency={currency}
          purchases={now.reversedShareMinor === '0' ? null : purchases(reversedStatuses)}
        />
        <Stack gap={2}>
          <Text size="sm" c="dimmed">
            {t('Purchases')}
          </Text>
          <Text fw={600} size="xl" className={`${classes.figure} ${classes.sum}`}>
            <FigureLink screen="transactions" query={counted}>
              {BigInt(now.rowCount).toLocaleString()}
            </FigureLink>
          </Text>
          {isCompared && (
            <Change
              now={now.rowCount}
              before={before.rowCount}
              was={BigInt(before.rowCount).toLocaleString()}
            />
          )}
        </Stack>
      </Box>
      <Trend period={period} before={compared} currency={currency} />
    </Paper>
  );
}

interface FigureProps {
  label: string;
  now: string;
  /** Null without a comparison. */
  before: string | null;
  /** True if less is better, as for reversals. */
  isBetterLower?: boolean;
  currency: string;
  /** Filters that list the sum's purchases; null if there are none. */
  purchases: Readonly<Record<string, string | undefined>> | null;
}

function Figure({ label, now, before, isBetterLower = false, currency, purchases }: FigureProps) {
  return (
    <Stack gap={2}>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text fw={600} size="xl" component="div" className={classes.sum}>
        <FigureLink screen="transactions" query={purchases}>
          <Money minor={now} currency={currency} />
        </FigureLink>
      </Text>
      {before !== null && <Change {...{ now, before, isBetterLower }} was={formatMoney(before, currency)} />}
    </Stack>
  );
}

interface ChangeProps {
  now: string;
  before: string;
  was: string;
  isBetterLower?: boolean;
}

/** Change from an earlier value. The sign shows the direction, and the color shows whether the change is good. */
function Change({ now, before, was, isBetterLower = false }: ChangeProps) {
  const change = formatChange(now, before);
  return (
    <Text size="sm" c="dimmed" component="div" className={classes.change}>
      {change === null ? (
        t('no previous data')
      ) : (
        <>
          <span data-tone={toneOfChange(now, before, isBetterLower)}>{change}</span>{' '}
          <span>{t('from {was}', { was })}</span>
        </>
      )}
    </Text>
  );
}
