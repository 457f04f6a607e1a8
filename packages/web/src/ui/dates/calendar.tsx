// Not in the components' layer: this stylesheet is inserted before theirs, which would win within the layer.
import '@mantine/dates/styles.css';
import { Stack } from '@mantine/core';
import { DatePicker, type DatePickerProps, TimePicker } from '@mantine/dates';
import { useState } from 'react';
import { formatLocale } from '../locale.ts';
import { t } from '../text.ts';
import classes from './calendar.module.css';

interface CalendarProps {
  /** Value in the same format as in `DateInput`. */
  value: string;
  withTime: boolean;
  minDay: string | undefined;
  onChange(value: string): void;
}

/** Calendar for one day, with a time if the field has one. */
export function Calendar({ value, withTime, minDay, onChange }: CalendarProps) {
  const [day = '', time = '00:00'] = value.split('T');
  const chosen = day === '' ? null : day;
  return (
    <Stack gap="xs">
      <DatePicker
        {...settings()}
        value={chosen}
        defaultDate={chosen ?? minDay}
        minDate={minDay}
        getDayProps={(each) => ({ 'data-autofocus': each === chosen || undefined })}
        onChange={(next) => {
          if (next !== null) onChange(withTime ? `${next}T${time}` : next);
        }}
      />
      {withTime && (
        <TimePicker
          size="sm"
          label={t('Time')}
          value={time.slice(0, 5)}
          disabled={chosen === null}
          hoursInputLabel={t('Hours')}
          minutesInputLabel={t('Minutes')}
          onChange={(next) => {
            if (chosen !== null && next !== '') onChange(`${chosen}T${next.slice(0, 5)}`);
          }}
        />
      )}
    </Stack>
  );
}

interface RangeCalendarProps {
  first: string;
  last: string;
  onChange(first: string, last: string): void;
}

/** Calendar for the first and last day of a range. Reports both once the second is chosen. */
export function RangeCalendar({ first, last, onChange }: RangeCalendarProps) {
  const [range, setRange] = useState<[string | null, string | null]>([first || null, last || null]);
  return (
    <DatePicker
      {...settings()}
      type="range"
      allowSingleDateInRange
      value={range}
      defaultDate={last || first || undefined}
      getDayProps={(each) => ({ 'data-autofocus': each === (last || first) || undefined })}
      onChange={(next) => {
        setRange(next);
        const [from, to] = next;
        if (from !== null && to !== null) onChange(from, to);
      }}
    />
  );
}

/** Labels and first day of the week for the reader's language. */
function settings(): Pick<
  DatePickerProps,
  | 'size'
  | 'ariaLabels'
  | 'firstDayOfWeek'
  | 'weekdayFormat'
  | 'monthLabelFormat'
  | 'monthsListFormat'
  | 'getDayAriaLabel'
  | 'highlightToday'
  | 'classNames'
> {
  const format = (options: Intl.DateTimeFormatOptions) => {
    const formatter = new Intl.DateTimeFormat(formatLocale(), { ...options, timeZone: 'UTC' });
    return (day: string): string => formatter.format(new Date(`${day.slice(0, 10)}T00:00:00Z`));
  };
  return {
    size: 'sm',
    highlightToday: true,
    classNames: { day: classes.day ?? '' },
    firstDayOfWeek: firstDayOfWeek(),
    weekdayFormat: format({ weekday: 'short' }),
    monthLabelFormat: format({ year: 'numeric', month: 'long' }),
    monthsListFormat: format({ month: 'short' }),
    getDayAriaLabel: format({ dateStyle: 'full' }),
    ariaLabels: {
      // The buttons that choose a month or year show their current value, which is their name.
      nextMonth: t('Next month'),
      previousMonth: t('Previous month'),
      nextYear: t('Next year'),
      previousYear: t('Previous year'),
      nextDecade: t('Next decade'),
      previousDecade: t('Previous decade'),
    },
  };
}

type Weekday = NonNullable<DatePickerProps['firstDayOfWeek']>;

/** Returns 0 for Sunday, 1 for Monday and so on. Firefox lacks `getWeekInfo`, so its weeks start on Monday. */
function firstDayOfWeek(): Weekday {
  const locale: Intl.Locale & { getWeekInfo?(): { firstDay: number } } = new Intl.Locale(formatLocale());
  return ((locale.getWeekInfo?.().firstDay ?? 1) % 7) as Weekday;
}
