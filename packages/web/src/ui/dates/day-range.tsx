import { lazy } from 'react';
import { t } from '../text.ts';
import { DateInput } from './date-input.tsx';

const RangeCalendar = lazy(() =>
  import('./calendar.tsx').then((module) => ({ default: module.RangeCalendar })),
);

interface DayRangeProps {
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

/** Two fields for a range of UTC days, which share a calendar. */
export function DayRange({ first, last, errors = {}, onType, onChoose }: DayRangeProps) {
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
        label={t('First day (UTC)')}
        value={first}
        error={errors.first}
        calendar={calendar}
        onChange={(day, text) => onType('first', day, text)}
      />
      <DateInput
        label={t('Last day (UTC)')}
        value={last}
        error={errors.last}
        calendar={calendar}
        onChange={(day, text) => onType('last', day, text)}
      />
    </>
  );
}
