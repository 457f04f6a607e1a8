import type { MailBlock } from '../../platform/mail/mail-content.ts';
import { groupDigits } from '../../platform/money.ts';

/** Plain-text content of a notification, used to write emails and channel messages. */
export interface Content {
  subject: string;
  blocks: readonly MailBlock[];
  /** Dashboard page with the same information. */
  link: { label: string; url: string };
}

export const pageUrl = (origin: string, publisherId: string, path: string): string =>
  `${origin}/p/${encodeURIComponent(publisherId)}/${path}`;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Formats a time in a recipient's time zone and appends the zone's name. */
export function timeText(at: Date, timeZone: string): string {
  let format = formats.get(timeZone);
  if (format === undefined) {
    const options = { dateStyle: 'medium', timeStyle: 'short' } as const;
    format = new Intl.DateTimeFormat('en-US', { ...options, timeZone });
    formats.set(timeZone, format); // at most one per time zone
  }
  // Newer versions of Unicode's data have a narrow space before AM, which some mail clients display as a box.
  return `${format.format(at).replaceAll(' ', ' ')} (${timeZone})`;
}

const dayFormat = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });
const dayWithYear = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
});

/** Formats UTC days, such as `May 4`, or `Apr 28 – May 4`. */
export function daysText({ from, until }: { from: string; until: string }, withYear = false): string {
  const last = new Date(Date.parse(until) - 86_400_000);
  const lastText = (withYear ? dayWithYear : dayFormat).format(last);
  const first = new Date(Date.parse(from));
  return first.getTime() === last.getTime() ? lastText : `${dayFormat.format(first)} – ${lastText}`;
}

/** Formats a UTC day with its year. */
export const dayText = (day: Date): string => dayWithYear.format(day);

export const plural = (count: number, one: string, many: string): string =>
  `${groupDigits(String(count))} ${count === 1 ? one : many}`;
