const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Time when a recipient wants to receive digests. */
export interface SendTime {
  /** IANA name, such as Europe/Berlin. */
  timeZone: string;
  /** Hour of the day, 0 to 23. */
  hour: number;
}

const ianaName = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/;

/** Returns whether the text is the name of a time zone. Offsets such as +02:00 don't count as names. */
export function isTimeZone(text: string): boolean {
  if (text.length > 64 || !ianaName.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Treat a zone that this version of Node doesn't know as UTC, so that its digests are still sent. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (format === undefined) {
    const zone = isTimeZone(timeZone) ? timeZone : 'UTC';
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formats.set(timeZone, format); // at most one per time zone, because only valid zones are saved
  }
  return format;
}

/** Returns a zone's offset from UTC at a given time, in milliseconds; positive to the east. */
function offsetAt(timeZone: string, ms: number): number {
  const whole = Math.floor(ms / 1_000) * 1_000;
  const parts = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(whole)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - whole;
}

/**
 * Returns the time when a clock in the zone shows the given hour on a day. If it does so twice, returns the first time.
 * If the clock skips the hour, returns a time as long after the skip as the hour is after the start of the skipped
 * time.
 * @param dayStart the local day, as midnight of the same date in UTC
 */
function instantOf({ timeZone, hour }: SendTime, dayStart: number): number {
  const wanted = dayStart + hour * hourMs;
  const before = offsetAt(timeZone, wanted - dayMs);
  const after = offsetAt(timeZone, wanted + dayMs);
  const shown = [wanted - before, wanted - after].filter((ms) => ms + offsetAt(timeZone, ms) === wanted);
  return shown.length > 0 ? Math.min(...shown) : wanted - before;
}

/** Time when digests are due. */
export interface Occurrence {
  at: Date;
  /** Day on the recipient's calendar, as midnight of the same date in UTC. */
  dayStart: number;
}

export type Frequency = 'daily' | 'weekly';

/** Weekly digests are sent on Mondays. */
const monday = 1;

const isSendDay = (frequency: Frequency, dayStart: number): boolean =>
  frequency === 'daily' || new Date(dayStart).getUTCDay() === monday;

/** Number of days before and after any time that always contain an occurrence. */
const reach = { daily: 2, weekly: 8 } as const;

/** Lists the occurrences around a time, in order. */
function around(time: SendTime, frequency: Frequency, now: Date): Occurrence[] {
  const today = Math.floor((now.getTime() + offsetAt(time.timeZone, now.getTime())) / dayMs) * dayMs;
  const found: Occurrence[] = [];
  for (let days = -reach[frequency]; days <= reach[frequency]; days += 1) {
    const dayStart = today + days * dayMs;
    if (isSendDay(frequency, dayStart)) found.push({ at: new Date(instantOf(time, dayStart)), dayStart });
  }
  return found;
}

/** Returns the first occurrence after a time. */
export function nextOccurrence(time: SendTime, frequency: Frequency, now: Date): Occurrence {
  const next = around(time, frequency, now).find(({ at }) => at > now);
  if (next === undefined) throw new Error(`no ${frequency} occurrence near ${now.toISOString()}`);
  return next;
}

/** Returns the last occurrence at or before a time. After an outage, only this one is sent. */
export function lastOccurrence(time: SendTime, frequency: Frequency, now: Date): Occurrence {
  const last = around(time, frequency, now).findLast(({ at }) => at <= now);
  if (last === undefined) throw new Error(`no ${frequency} occurrence near ${now.toISOString()}`);
  return last;
}

/** UTC days: the first day, and the day after the last. */
export interface Period {
  from: string;
  until: string;
}

const dayText = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/**
 * Returns the UTC days that a digest covers: the last day or the last seven days that are over when it is sent. Sums
 * are stored by UTC day. Both the zone's winter and summer offsets are considered, so that a clock change never causes
 * a day to be skipped or covered twice.
 */
export function periodOf({ timeZone, hour }: SendTime, frequency: Frequency, dayStart: number): Period {
  const year = new Date(dayStart).getUTCFullYear();
  const offsets = [Date.UTC(year, 0, 1), Date.UTC(year, 6, 1)].map((ms) => offsetAt(timeZone, ms));
  const earliest = dayStart + hour * hourMs - Math.max(...offsets);
  const until = Math.floor(earliest / dayMs) * dayMs;
  return { from: dayText(until - (frequency === 'daily' ? 1 : 7) * dayMs), until: dayText(until) };
}

/** Returns the period of the same length immediately before the given one. */
export function periodBefore({ from, until }: Period): Period {
  const fromMs = Date.parse(from);
  return { from: dayText(fromMs - (Date.parse(until) - fromMs)), until: from };
}
