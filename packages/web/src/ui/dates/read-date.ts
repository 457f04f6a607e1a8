const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

/**
 * Patterns for a typed date: with the year first, or with the month's name. 7/1/2026 is ambiguous and therefore
 * rejected.
 */
const orders = [
  /^(?<year>\d{4})(?<mark>[-/.])(?<month>\d{1,2})\k<mark>(?<day>\d{1,2})$/,
  /^(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})$/,
  /^(?<day>\d{1,2})\.? (?<name>[a-z]{3})[a-z]*\.?,? (?<year>\d{4})$/,
  /^(?<name>[a-z]{3})[a-z]*\.? (?<day>\d{1,2}),? (?<year>\d{4})$/,
];
const timeOfDay =
  /^(?<hour>\d{1,2}):(?<minute>\d{2})(?<second>:\d{2}(?:\.\d{1,3})?)? ?(?<half>[ap]\.?m\.?)?(?:z| ?utc)?$/;

/**
 * Reads a typed date, such as `2026-07-01`, `1 Jul 2026` or `July 1, 2026`, with a time after a space, a comma or a T.
 * @returns `2026-07-01`, or with a time `2026-07-01T00:00` (00:00 if no time was typed); null if it isn't a date
 */
export function readDate(typed: string, withTime: boolean): string | null {
  const text = typed.trim().toLowerCase().replaceAll(/\s+/g, ' ');
  const timeAt = /(?:(?<=\d)t| |, )(?=\d{1,2}:)/.exec(text);
  const day = readDay(timeAt === null ? text : text.slice(0, timeAt.index));
  if (!withTime || day === null) return timeAt === null ? day : null;
  const time = timeAt === null ? '00:00' : readTime(text.slice(timeAt.index + timeAt[0].length));
  return time === null ? null : `${day}T${time}`;
}

function readDay(text: string): string | null {
  const found = orders.map((order) => order.exec(text)?.groups).find((groups) => groups !== undefined);
  if (found === undefined) return null;
  const { year = '', month, name = '', day = '' } = found;
  const number = month === undefined ? months.indexOf(name) + 1 : Number(month);
  const iso = `${year}-${String(number).padStart(2, '0')}-${day.padStart(2, '0')}`;
  const ms = Date.parse(`${iso}T00:00:00Z`);
  // JavaScript reads February 30 as March 2.
  return Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== iso ? null : iso;
}

function readTime(text: string): string | null {
  const { hour = '', minute = '', second = '', half } = timeOfDay.exec(text)?.groups ?? {};
  let hours = Number(hour);
  if (half !== undefined) {
    if (hours < 1 || hours > 12) return null;
    hours = (hours % 12) + (half.startsWith('p') ? 12 : 0);
  }
  const isTime = hour !== '' && hours < 24 && Number(minute) < 60 && Number(second.slice(1)) < 60;
  return isTime ? `${String(hours).padStart(2, '0')}:${minute}${second}` : null;
}

/** Formats a value for its field: `2026-07-01` or `2026-07-01 00:00`. */
export const dateText = (value: string): string => value.replace('T', ' ');
