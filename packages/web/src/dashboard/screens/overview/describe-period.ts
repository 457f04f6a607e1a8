import { lastDayBefore } from '../../../ui/dates/utc-days.ts';
import { t } from '../../../ui/text.ts';
import { formatUtcDay, formatWhen } from '../../../ui/when.tsx';
import { type Comparison, countDays, type Period, todayAt } from './period.ts';

/** States the period and what it is compared with. Today isn't compared, because it isn't over. */
export function describePeriod(period: Period, comparison: Comparison, now: number): string {
  const last = lastDayBefore(period.until);
  const hasToday = last === todayAt(now);
  const values = {
    from: formatUtcDay(period.from),
    last: hasToday ? t('today') : formatUtcDay(last),
    days: countDays(period),
  };
  if (hasToday && values.days === 1) return t('Today (UTC)');
  switch (comparison) {
    case 'previous':
      return hasToday
        ? t('{from} to today (UTC) vs. the previous {days} days, excluding today', values)
        : t('{from} to {last} (UTC) vs. the previous {days, plural, one {day} other {# days}}', values);
    case 'year':
      return hasToday
        ? t('{from} to today (UTC) vs. the same dates a year earlier, excluding today', values)
        : t('{from} to {last} (UTC) vs. the same dates a year earlier', values);
    case 'none':
      return t('{from} to {last} (UTC)', values);
  }
}

/**
 * States the period in a line of a phone, which leaves out the current year. The choice below names what the period is
 * compared with.
 */
export function describeBriefly(period: Period, comparison: Comparison, now: number): string {
  const last = lastDayBefore(period.until);
  const today = todayAt(now);
  const dayOf = (day: string): string =>
    day.slice(0, 4) === today.slice(0, 4)
      ? formatWhen(`${day}T00:00:00Z`, 'utc', 'shortDay')
      : formatUtcDay(day);
  const values = { from: dayOf(period.from), last: last === today ? t('today') : dayOf(last) };
  if (countDays(period) === 1)
    return last === today ? t('Today (UTC)') : t('{day}, UTC', { day: values.from });
  return last === today && comparison !== 'none'
    ? t('{from} – {last}, UTC, compared through yesterday', values)
    : t('{from} – {last}, UTC', values);
}
