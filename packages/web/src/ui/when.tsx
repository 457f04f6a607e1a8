import { createContext, useContext } from 'react';
import { nowMs } from './clock.ts';
import classes from './figures.module.css';
import { formatLocale } from './locale.ts';
import { unknown } from './money.tsx';
import type { Preferences } from './preferences.ts';
import { t } from './text.ts';
import { useZone } from './zone.ts';

type Precision = 'day' | 'minute' | 'second';

type Length = 'full' | 'list' | 'short' | 'shortest' | 'time';

/**
 * Length of times in a part of the page. `list` leaves out the current year and the time zone. `short`, for lists on a
 * phone, also leaves out the time of other years. `shortest`, for a row's second line, shows the time without the day if
 * the day is today, and otherwise the day without the time. `time`, under the heading of a day, leaves out the day.
 */
export const TimeLength = createContext<Length>('full');

interface WhenProps {
  /** ISO 8601; null if the event hasn't happened. */
  at: string | null | undefined;
  precision?: Precision;
}

/** Time in the list's or the reader's zone, with the other zone in the tooltip. */
export function When({ at, precision = 'minute' }: WhenProps) {
  const zone = useZone();
  const length = useContext(TimeLength);
  if (at === null || at === undefined) return <span className={classes.unknown}>{unknown}</span>;
  return (
    <time dateTime={at} title={formatWhen(at, other(zone), 'second')} className={classes.figures}>
      {formatWhen(at, zone, partsFor(at, zone, precision, length))}
    </time>
  );
}

/** End of a window (exclusive), after its start: "to 1 Jul 2026, 00:00". */
export function Until({ at }: { at: string | null | undefined }) {
  const zone = useZone();
  const length = useContext(TimeLength);
  if (at === null || at === undefined) return <span>{t('onward')}</span>;
  return (
    <time dateTime={at} title={formatWhen(at, other(zone), 'second')}>
      {t('to {when}', {
        when: formatWhen(at, zone, partsFor(at, zone, 'minute', length)),
      })}
    </time>
  );
}

function partsFor(
  at: string,
  zone: Preferences['zone'],
  precision: Precision,
  length: Length,
): keyof typeof parts {
  if (length === 'full') return precision;
  if (length === 'time' && precision !== 'day') return precision === 'second' ? 'timeSecond' : 'time';
  const today = formatWhen(new Date(nowMs()).toISOString(), zone, 'day');
  const day = formatWhen(at, zone, 'day');
  const isSameYear = day.match(/\d{4}/)?.[0] === today.match(/\d{4}/)?.[0];
  if (!isSameYear) return length === 'list' && precision !== 'day' ? 'minute' : 'day';
  if (precision === 'day') return 'shortDay';
  if (length === 'list' && precision === 'second') return 'shortSecond';
  if (length === 'list') return 'shortMinute';
  if (length === 'short') return 'shortMinute';
  return day === today ? 'time' : 'shortDay';
}

const other = (zone: Preferences['zone']): Preferences['zone'] => (zone === 'utc' ? 'viewer' : 'utc');

const parts = {
  day: { year: 'numeric', month: 'short', day: 'numeric' },
  minute: { year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' },
  second: {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
  },
  time: { hour: '2-digit', minute: '2-digit' },
  timeSecond: { hour: '2-digit', minute: '2-digit', second: '2-digit' },
  weekday: { weekday: 'long', month: 'short', day: 'numeric' },
  weekdayOfYear: { weekday: 'long', year: 'numeric', month: 'short', day: 'numeric' },
  shortSecond: { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', second: '2-digit' },
  shortDay: { month: 'short', day: 'numeric' },
  shortMinute: { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

const formats = new Map<string, Intl.DateTimeFormat>();

export function formatWhen(
  at: string,
  zone: Preferences['zone'],
  precision: keyof typeof parts = 'minute',
): string {
  const locale = formatLocale();
  const key = `${locale} ${zone} ${precision}`;
  let format = formats.get(key);
  if (format === undefined) {
    format = new Intl.DateTimeFormat(locale, {
      ...parts[precision],
      hourCycle: 'h23',
      ...(zone === 'utc' && { timeZone: 'UTC' }),
    });
    formats.set(key, format);
  }
  return format.format(new Date(at));
}

/** Day that a chart's point or a sum covers, always in UTC. */
export function UtcDay({ day }: { day: string }) {
  return (
    <time dateTime={day} title={t('UTC day')} className={classes.figures}>
      {formatUtcDay(day)}
    </time>
  );
}

export const formatUtcDay = (day: string): string =>
  formatWhen(`${day.slice(0, 10)}T00:00:00Z`, 'utc', 'day');
