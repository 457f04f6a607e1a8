import { formatLocale } from '../ui/locale.ts';

/** Returns the name of a month. @param month UTC month, such as `2026-06` */
export const monthName = (month: string): string =>
  new Intl.DateTimeFormat(formatLocale(), { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month}-01T00:00:00Z`),
  );
