import { NativeSelect, Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useChoiceHistory } from '../filter-bar.tsx';
import { t } from '../text.ts';
import { useUrlState } from '../url-state.ts';
import { formatWhen } from '../when.tsx';
import { useZone } from '../zone.ts';
import classes from './dates.module.css';
import { DayRange } from './day-range.tsx';
import { periodsOf, rangeOf } from './filter-period.ts';
import { type Period, periods } from './period-days.ts';
import { endOfDay, firstDayOf, isWholeDays, lastDayOf, type Range, startOfDay } from './zoned-days.ts';

interface FilterDaysProps {
  /** Returns the changes to other parameters that a new range requires. */
  also?(range: Range): Readonly<Record<string, string | null>>;
}

type Choice = Period | 'all' | 'custom';

/**
 * Filter for a period, or a range of days, in the zone of the list's times (`RangeZone`). The URL contains `from`
 * (inclusive) and `until` (exclusive) of both.
 */
export function FilterDays({ also }: FilterDaysProps) {
  const { query, setQuery } = useUrlState();
  const zone = useZone();
  const how = useChoiceHistory();
  const { from, until } = query;
  const { choice, choose } = usePeriodChoice(query);
  // The days get the focus when they are chosen here, and not when the page opens with them.
  const isChosenHere = useRef(false);
  const set = (chosen: Choice, range: Range, step: 'push' | 'replace' = 'push'): void => {
    choose(chosen, range);
    setQuery({ from: range.from ?? null, until: range.until ?? null, ...also?.(range) }, step);
  };
  const change = (chosen: Choice): void => {
    isChosenHere.current = chosen === 'custom';
    if (chosen === 'custom') choose(chosen, query);
    else set(chosen, chosen === 'all' ? {} : rangeOf(chosen, zone), how());
  };
  const isCustom = choice === 'custom';
  return (
    <>
      <NativeSelect
        label={t('Period')}
        className={isCustom ? classes.custom : undefined}
        value={choice}
        data={choices()}
        onChange={({ currentTarget: { value } }) => change(value as Choice)}
      />
      {isCustom && (
        <CustomDays isFocused={isChosenHere.current}>
          <DayRange
            first={firstDayOf(query, zone)}
            last={lastDayOf(query, zone)}
            onType={(which, day, text) => {
              // While a day is half typed, the list keeps its filter.
              if (day === '' && text.trim() !== '') return;
              const changed =
                which === 'first' ? { from: startOfDay(day, zone) } : { until: endOfDay(day, zone) };
              set('custom', { from, until, ...changed });
            }}
            onChoose={(first, last) =>
              set('custom', { from: startOfDay(first, zone), until: endOfDay(last, zone) })
            }
          />
        </CustomDays>
      )}
      {!isWholeDays(query, zone) && (
        <Text size="sm" c="dimmed" className={classes.custom}>
          {[
            from !== undefined && t('from {when}', { when: formatWhen(from, zone) }),
            until !== undefined && t('until {when}', { when: formatWhen(until, zone) }),
          ]
            .filter(Boolean)
            .join(' ')}
        </Text>
      )}
    </>
  );
}

const choices = (): { value: Choice; label: string }[] => [
  { value: 'all', label: t('All time') },
  ...periods.map((value) => ({ value, label: nameOf(value) })),
  { value: 'custom', label: t('Custom…') },
];

function nameOf(period: Period): string {
  switch (period) {
    case 'today':
      return t('Today');
    case 'yesterday':
      return t('Yesterday');
    case '7days':
      return t('Last 7 days');
    case '30days':
      return t('Last 30 days');
    case 'month':
      return t('This month');
    case 'lastMonth':
      return t('Last month');
  }
}

/**
 * Returns the chosen period: what the reader chose, for as long as the URL has that range, and otherwise the first period
 * that is equal to the URL's range. Custom, for example, stays chosen before a day is typed, and while the days happen to be
 * those of a period.
 */
function usePeriodChoice({ from, until }: Range) {
  const zone = useZone();
  const [chosen, setChosen] = useState<Choice | null>(null);
  const range = keyOf({ from, until });
  const expected = useRef(range);
  const shown = useRef(range);
  // The range may also change from outside: by a link, Back, a saved view, or another time zone.
  const isOurs = shown.current === range || expected.current === range;
  shown.current = range;
  if (!isOurs && chosen !== null) setChosen(null);
  const matching: readonly Choice[] =
    from === undefined && until === undefined ? ['all'] : periodsOf({ from, until }, zone);
  const isChosen = isOurs && chosen !== null && (chosen === 'custom' || matching.includes(chosen));
  return {
    choice: isChosen ? chosen : (matching[0] ?? 'custom'),
    choose(next: Choice, changed: Range) {
      expected.current = keyOf(changed);
      setChosen(next);
    },
  };
}

const keyOf = ({ from = '', until = '' }: Range): string => `${from} ${until}`;

interface CustomDaysProps {
  isFocused: boolean;
  children: ReactNode;
}

function CustomDays({ isFocused, children }: CustomDaysProps) {
  const box = useRef<HTMLDivElement>(null);
  const wasFocused = useRef(isFocused);
  useEffect(() => {
    if (wasFocused.current) box.current?.querySelector('input')?.focus();
  }, []);
  return (
    <div ref={box} className={classes.days}>
      {children}
    </div>
  );
}
