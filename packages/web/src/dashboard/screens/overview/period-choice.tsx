import { Box, Button, Group, NativeSelect, SegmentedControl } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { hasCompleteDates } from '../../../ui/dates/date-input.tsx';
import { DayRange } from '../../../ui/dates/day-range.tsx';
import { lastDayBefore, nextDay } from '../../../ui/dates/utc-days.ts';
import { t } from '../../../ui/text.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import { useNarrow } from '../../../ui/use-narrow.ts';
import classes from './overview.module.css';
import {
  type ChosenPeriod,
  type Comparison,
  faultOf,
  maxDays,
  type Period,
  type PeriodFault,
  periods,
} from './period.ts';

interface PeriodChoiceProps {
  choice: ChosenPeriod['choice'];
  comparison: Comparison;
  onCustom(): void;
  onDays(): void;
}

/** Selectors for the period and for the period to compare it with. On a phone, they share a line. */
export function PeriodChoice({ choice, comparison, onCustom, onDays }: PeriodChoiceProps) {
  const { setQuery } = useUrlState();
  const isNarrow = useNarrow();
  const choose = (value: string): void => {
    if (value === 'custom') {
      onCustom();
      return;
    }
    onDays();
    setQuery({ days: value === '28' ? null : value, from: null, until: null });
  };
  const days = {
    'aria-label': t('Days'),
    value: choice,
    data: [
      ...periods.map((each) => ({ value: each as string, label: t('{days} days', { days: each }) })),
      { value: 'custom', label: t('Custom…') },
    ],
  };
  const compare = (
    <NativeSelect
      aria-label={t('Compare with')}
      value={comparison}
      onChange={({ currentTarget: { value } }) => setQuery({ compare: value === 'previous' ? null : value })}
      data={[
        { value: 'previous', label: t('Previous period') },
        { value: 'year', label: t('A year earlier') },
        { value: 'none', label: t('No comparison') },
      ]}
    />
  );
  return isNarrow ? (
    <Group gap="xs" grow wrap="nowrap" className={classes.choices}>
      <NativeSelect {...days} onChange={({ currentTarget: { value } }) => choose(value)} />
      {compare}
    </Group>
  ) : (
    <>
      <SegmentedControl {...days} onChange={choose} />
      {compare}
    </>
  );
}

interface CustomPeriodProps {
  /** Period that the screen shows. */
  period: Period;
  now: number;
  onApplied(): void;
}

/** Form for a range of UTC days. */
export function CustomPeriod({ period, now, onApplied }: CustomPeriodProps) {
  const { setQuery } = useUrlState();
  const [first, setFirst] = useState(period.from);
  const [last, setLast] = useState(lastDayBefore(period.until));
  const [fault, setFault] = useState<PeriodFault | null>(null);
  const apply = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (!hasCompleteDates(event.currentTarget)) return;
    const chosen = { from: first, until: last === '' ? '' : nextDay(last) };
    const found = faultOf(chosen, now);
    setFault(found);
    if (found !== null) return;
    setQuery({ ...chosen, days: null });
    onApplied();
  };
  return (
    <Box component="form" noValidate aria-label={t('Custom period')} onSubmit={apply} mb="md">
      <Group align="flex-start" className={classes.period}>
        <DayRange
          isUtc
          first={first}
          last={last}
          errors={{
            first: fault === 'missing' && first === '' ? t('Choose a day.') : undefined,
            last: lastDayError(fault, last),
          }}
          onType={(which, day) => (which === 'first' ? setFirst(day) : setLast(day))}
          onChoose={(from, to) => {
            setFirst(from);
            setLast(to);
          }}
        />
        <Button type="submit" variant="default">
          {t('Show')}
        </Button>
      </Group>
    </Box>
  );
}

function lastDayError(fault: PeriodFault | null, last: string): string | undefined {
  switch (fault) {
    case 'missing':
      return last === '' ? t('Choose a day.') : undefined;
    case 'reversed':
      return t('The last day is before the first day.');
    case 'future':
      return t('The last day is in the future.');
    case 'long':
      return t('Choose at most {days} days.', { days: maxDays });
    case null:
      return undefined;
  }
}
