import { Fieldset, Stack, Text } from '@mantine/core';
import type { CreatorGroup } from '../../../client/types.gen.ts';
import { WholeInput } from '../../../ui/number-input.tsx';
import { readWhole } from '../../../ui/read-number.ts';
import { t } from '../../../ui/text.ts';

/** Text of the calendar's fields. An empty day means that no payouts are planned. */
interface TypedCalendar {
  day: string;
  within: string;
}

type Calendar = CreatorGroup['payoutCalendar'];

export const calendarOf = ({ payoutCalendar }: CreatorGroup): TypedCalendar =>
  payoutCalendar === null
    ? { day: '', within: '' }
    : { day: String(payoutCalendar.dayOfMonth), within: String(payoutCalendar.withinDays) };

const dayBounds = { min: 1n, max: 28n };
const withinBounds = { min: 0n, max: 15n };

const isNone = ({ day }: TypedCalendar): boolean => day.trim() === '';

/** @returns null for no calendar; undefined while a field is invalid */
export function readCalendar(typed: TypedCalendar): Calendar | undefined {
  if (isNone(typed)) return null;
  const day = readWhole(typed.day, dayBounds).value;
  // Without days, the payout is promised on the planned day itself.
  const within = typed.within.trim() === '' ? 0n : readWhole(typed.within, withinBounds).value;
  return day === null || within === null
    ? undefined
    : { dayOfMonth: Number(day), withinDays: Number(within) };
}

export const calendarWords = (calendar: Calendar): string =>
  calendar === null
    ? t('None')
    : t(
        'Day {dayOfMonth} of each month, {withinDays, plural, =0 {on that day} one {within # day} other {within # days}}',
        calendar,
      );

/** Returns a calendar for display: in words, or as typed while a field is invalid. */
export function describeCalendar(typed: TypedCalendar): string {
  const calendar = readCalendar(typed);
  return calendar === undefined ? `${typed.day} ${typed.within}` : calendarWords(calendar);
}

interface PayoutCalendarProps {
  calendar: TypedCalendar;
  onChange(calendar: TypedCalendar): void;
}

/** Fields for the day of the month on which payouts are planned. */
export function PayoutCalendar({ calendar, onChange }: PayoutCalendarProps) {
  return (
    <Fieldset legend={t('Planned payouts')}>
      <Stack gap="xs">
        <Text size="sm" c="dimmed">
          {t('A reminder for you. Payouts aren’t created automatically.')}
        </Text>
        <WholeInput
          label={t('Day of the month')}
          description={t('From 1 to 28, in UTC. Leave empty to plan no payouts.')}
          value={calendar.day}
          bounds={dayBounds}
          onChange={(day) => onChange({ ...calendar, day })}
        />
        <WholeInput
          label={t('Grace period (days)')}
          description={t('Days after the planned day before a missing payout needs attention.')}
          value={isNone(calendar) ? '' : calendar.within}
          placeholder="0"
          bounds={withinBounds}
          disabled={isNone(calendar)}
          onChange={(within) => onChange({ ...calendar, within })}
        />
      </Stack>
    </Fieldset>
  );
}
