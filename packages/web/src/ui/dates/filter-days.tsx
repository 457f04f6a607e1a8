import { useUrlState } from '../url-state.ts';
import { DayRange } from './day-range.tsx';
import { lastDayBefore, nextDay } from './utc-days.ts';

/** Start of the first day, and start of the day after the last one. */
interface Range {
  from: string | undefined;
  until: string | undefined;
}

interface FilterDaysProps {
  /** Returns the changes to other parameters that a new range requires. */
  also?(range: Range): Readonly<Record<string, string | null>>;
}

/** Filter for a range of UTC days. The URL contains `from` (inclusive) and `until` (exclusive). */
export function FilterDays({ also }: FilterDaysProps) {
  const { query, setQuery } = useUrlState();
  const { from, until } = query;
  const set = (changes: Partial<Range>): void => {
    const range = { from, until, ...changes };
    setQuery({ from: range.from ?? null, until: range.until ?? null, ...also?.(range) });
  };
  return (
    <DayRange
      first={from?.slice(0, 10) ?? ''}
      last={until === undefined ? '' : lastDayBefore(until)}
      onType={(which, day, text) => {
        // While a day is half typed, the list keeps its filter.
        if (day === '' && text.trim() !== '') return;
        set(which === 'first' ? { from: startOf(day) } : { until: startOf(day && nextDay(day)) });
      }}
      onChoose={(first, last) => set({ from: startOf(first), until: startOf(nextDay(last)) })}
    />
  );
}

const startOf = (day: string): string | undefined => (day === '' ? undefined : `${day}T00:00:00Z`);
