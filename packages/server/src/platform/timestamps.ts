const shape =
  /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,30}))?)?(?:[Zz]|([+-])(\d\d)(?::?(\d\d))?)$/;
const earliestMs = Date.UTC(1970, 0, 1);
const latestMs = Date.UTC(2101, 0, 1) - 1;

/**
 * Parses an ISO 8601 timestamp: a real calendar date and time of day, with optional seconds and with `Z` or an offset
 * (`+02:00`, `+0200`, `+02`), in the years 1970 to 2100 (UTC). Digits beyond milliseconds are truncated.
 * @returns milliseconds since 1970, or null if the text isn't a valid timestamp
 */
export function parseTimestamp(text: string): number | null {
  const parts = shape.exec(text);
  if (parts === null) return null;
  const year = Number(parts[1]);
  const month = Number(parts[2]);
  const day = Number(parts[3]);
  const hour = Number(parts[4]);
  const minute = Number(parts[5]);
  const second = Number(parts[6] ?? 0);
  if (month < 1 || month > 12 || hour > 23 || minute > 59 || second > 59) return null;
  if (day < 1 || day > daysInMonth(year, month)) return null;
  const offsetHour = parts[9] === undefined ? 0 : Number(parts[9]);
  const offsetMinute = parts[10] === undefined ? 0 : Number(parts[10]);
  if (offsetHour > 23 || offsetMinute > 59) return null;
  const offsetMs = (offsetHour * 60 + offsetMinute) * 60_000 * (parts[8] === '-' ? -1 : 1);
  const milliseconds = parts[7] === undefined ? 0 : Number(parts[7].padEnd(3, '0').slice(0, 3));
  const instantMs = Date.UTC(year, month - 1, day, hour, minute, second, milliseconds) - offsetMs;
  return instantMs >= earliestMs && instantMs <= latestMs ? instantMs : null;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Converts a timestamp that a schema has accepted to a Date. @throws Error if the text isn't a timestamp */
export function readTimestamp(text: string): Date {
  const ms = parseTimestamp(text);
  if (ms === null) throw new Error(`not a timestamp: ${text}`);
  return new Date(ms);
}
