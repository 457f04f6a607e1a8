import { formatPercent } from '../../../ui/percent.tsx';
import { changeOf } from './period.ts';

/** Returns the change from an earlier value, such as "+4.2%"; null if the earlier value was zero. */
export function formatChange(now: string, before: string): string | null {
  const change = changeOf(now, before);
  if (change === null) return null;
  const sign = change > 0 ? '+' : change < 0 ? '−' : '';
  return `${sign}${formatPercent(Math.abs(change))}`.replaceAll(' ', '\u00a0');
}
