import classes from './figures.module.css';
import { formatLocale } from './locale.ts';
import { unknown } from './money.tsx';

/** A share in percent: 1 means one percent, and up to four decimals are shown. */
export function Percent({ value }: { value: number | null | undefined }) {
  return <span className={classes.figures}>{formatPercent(value)}</span>;
}

export const formatPercent = (value: number | null | undefined): string =>
  value === null || value === undefined
    ? unknown
    : `${new Intl.NumberFormat(formatLocale(), { maximumFractionDigits: 4 }).format(value)} %`;

/** A count of things, in the reader's digits. */
export const formatCount = (count: number): string => new Intl.NumberFormat(formatLocale()).format(count);

/** Counts that stop somewhere, as lists' totals do: `{ atLeast: 250 }` is "250+". */
export const formatTotal = (total: number | { atLeast: number }): string =>
  typeof total === 'number' ? formatCount(total) : `${formatCount(total.atLeast)}+`;
