import { Box, Paper, Stack, Text } from '@mantine/core';
import type { Ref } from 'react';
import type { CurrencyOverview } from '../../../client/types.gen.ts';
import { formatMoney, Money } from '../../../ui/money.tsx';
import { t } from '../../../ui/text.ts';
import { formatChange } from './change.ts';
import classes from './overview.module.css';
import type { Period } from './period.ts';
import { Trend } from './trend.tsx';

interface CurrencyCardProps {
  overview: CurrencyOverview;
  period: Period;
  isCompared: boolean;
  /** Receives the card, so that the screen can focus it. */
  ref: Ref<HTMLElement>;
}

/** Figures of one currency with their chart. */
export function CurrencyCard({
  overview: { currency, now, before },
  period,
  isCompared,
  ref,
}: CurrencyCardProps) {
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
          label={t('Gross')}
          now={now.grossMinor}
          before={isCompared ? before.grossMinor : null}
          currency={currency}
        />
        <Figure
          label={t('Shares')}
          now={now.shareMinor}
          before={isCompared ? before.shareMinor : null}
          currency={currency}
        />
        <Figure
          label={t('Shares reversed')}
          now={now.reversedShareMinor}
          before={isCompared ? before.reversedShareMinor : null}
          currency={currency}
        />
        <Stack gap={2}>
          <Text size="sm" c="dimmed">
            {t('Purchases')}
          </Text>
          <Text fw={600} size="xl" className={`${classes.figure} ${classes.sum}`}>
            {BigInt(now.rowCount).toLocaleString()}
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
      <Trend period={period} currency={currency} />
    </Paper>
  );
}

interface FigureProps {
  label: string;
  now: string;
  /** Null without a comparison. */
  before: string | null;
  currency: string;
}

function Figure({ label, now, before, currency }: FigureProps) {
  return (
    <Stack gap={2}>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text fw={600} size="xl" component="div" className={classes.sum}>
        <Money minor={now} currency={currency} />
      </Text>
      {before !== null && <Change now={now} before={before} was={formatMoney(before, currency)} />}
    </Stack>
  );
}

function Change({ now, before, was }: { now: string; before: string; was: string }) {
  const change = formatChange(now, before);
  return (
    <Text size="sm" c="dimmed" className={classes.change}>
      {change === null
        ? t('no previous data')
        : t('{change} from {was}', { change, was: was.replaceAll(' ', '\u00a0') })}
    </Text>
  );
}
