import classes from './figures.module.css';
import { unknown } from './money.tsx';
import { numberFormat } from './number-format.ts';

/** Percentage with up to four decimal places; 1 means one percent. */
export function Percent({ value }: { value: number | null | undefined }) {
  return <span className={classes.figures}>{formatPercent(value)}</span>;
}

export const formatPercent = (value: number | null | undefined): string =>
  value === null || value === undefined
    ? unknown
    : numberFormat({ style: 'unit', unit: 'percent', maximumFractionDigits: 4 }).format(value);

export const formatCount = (count: number | bigint): string => numberFormat({}).format(count);

/** Formats a count that may be capped: `{ atLeast: 250 }` is "250+". */
export const formatTotal = (total: number | { atLeast: number }): string =>
  typeof total === 'number' ? formatCount(total) : `${formatCount(total.atLeast)}+`;
