import { formatLocale } from '../../../ui/locale.ts';

/** @returns UTC month of a time, such as `2026-10` */
export const monthOf = (ms: number): string => new Date(ms).toISOString().slice(0, 7);

/** @returns month that is `step` months after another one */
export function monthFrom(month: string, step: number): string {
  const [year = 1970, index = 1] = month.split('-').map(Number);
  return monthOf(Date.UTC(year, index - 1 + step, 1));
}

const choiceMonths = 36;

/** @returns the last three years of months, newest first, and the shown month if it is another one */
export function monthsToChoose(thisMonth: string, shown: string): string[] {
  const months = Array.from({ length: choiceMonths }, (_, step) => monthFrom(thisMonth, -step));
  return months.includes(shown) ? months : [...months, shown].toSorted().toReversed();
}

/** @returns name of a month, such as `October 2026` */
export const monthName = (month: string): string =>
  new Intl.DateTimeFormat(formatLocale(), { year: 'numeric', month: 'long', timeZone: 'UTC' }).format(
    new Date(`${month}-01T00:00:00Z`),
  );
