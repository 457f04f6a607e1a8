import { Text } from '@mantine/core';
import { t } from '../text.ts';
import { useUrlState } from '../url-state.ts';
import { formatWhen } from '../when.tsx';
import { useZone } from '../zone.ts';
import { DayRange } from './day-range.tsx';
import { endOfDay, firstDayOf, isWholeDays, lastDayOf, type Range, startOfDay } from './zoned-days.ts';

interface FilterDaysProps {
  /** Returns the changes to other parameters that a new range requires. */
  also?(range: Range): Readonly<Record<string, string | null>>;
}

/**
 * Filter for a range of days in the zone of the list's times (`RangeZone`). The URL contains `from` (inclusive) and
 * `until` (exclusive).
 */
export function FilterDays({ also }: FilterDaysProps) {
  const { query, setQuery } = useUrlState();
  const zone = useZone();
  const { from, until } = query;
  const set = (changes: Range): void => {
    const range = { from, until, ...changes };
    setQuery({ from: range.from ?? null, until: range.until ?? null, ...also?.(range) });
  };
  return (
    <>
      <DayRange
        first={firstDayOf(query, zone)}
        last={lastDayOf(query, zone)}
        onType={(which, day, text) => {
          // While a day is half typed, the list keeps its filter.
          if (day === '' && text.trim() !== '') return;
          set(which === 'first' ? { from: startOfDay(day, zone) } : { until: endOfDay(day, zone) });
        }}
        onChoose={(first, last) => set({ from: startOfDay(first, zone), until: endOfDay(last, zone) })}
      />
      {!isWholeDays(query, zone) && (
        <Text size="sm" c="dimmed">
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
