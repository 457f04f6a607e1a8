import { lazy } from 'react';
import { t } from '../text.ts';
import { DateInput } from './date-input.tsx';

const RangeCalendar = lazy(() =>
  import('./calendar.tsx').then((module) => ({ default: module.RangeCalendar })),
);

interface DayRangeProps {
  /** True for UTC days, whatever zone the reader chose. */
  isUtc?: boolean;
  /** `2026-07-01`, or empty. */
  first: string;
  /** Last day of the range (inclusive). */
  last: string;
  errors?: { first?: string | undefined; last?: string | undefined };
  /** Called with a typed day. The day is empty if it is incomplete or was cleared (then `text` is empty). */
  onType(which: 'first' | 'last', day: string, text: string): void;
  /** Called with both days after they are chosen in the calendar. */
  onChoose(first: string, last: string): void;
}

/** Two fields for a range of days, which share a calendar. */
export function DayRange({ isUtc = false, first, last, errors = {}, onType, onChoose }: DayRangeProps) {
  const calendar = (close: () => void) => (
    <RangeCalendar
      first={first}
      last={last}
      onChange={(from, to) => {
        onChoose(from, to);
        close();
      }}
    />
  );
  return (
    <>
      <DateInput
        label={isUtc ? t('First day (UTC)') : t('First day')}
        value={first}
        error={errors.first}
        calendar={calendar}
        onChange={(day, text) => onType('first', day, text)}
      />
      <DateInput
        label={isUtc ? t('Last day (UTC)') : t('Last day')}
        value={last}
        error={errors.last}
        calendar={calendar}
        onChange={(day, text) => onType('last', day, text)}
      />
    </>
  );
}
