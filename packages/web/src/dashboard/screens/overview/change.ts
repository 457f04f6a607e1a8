import type { ComparedDays } from '../../../client/types.gen.ts';
import { formatPercent } from '../../../ui/percent.tsx';
import { t } from '../../../ui/text.ts';
import { changeOf, type Period } from './period.ts';

/** Returns whether a comparison leaves out the end of the period: today, which isn't over. */
export const isPartly = ({ days }: ComparedDays, { until }: Period): boolean => days.until !== until;

/** Returns whether a change is good or bad; undefined if there is no change, or no earlier value. */
export function toneOfChange(now: string, before: string, isBetterLower = false): 'good' | 'bad' | undefined {
  const rise = BigInt(now) - BigInt(before);
  if (rise === 0n || BigInt(before) === 0n) return undefined;
  return rise > 0n === isBetterLower ? 'bad' : 'good';
}

/**
 * Returns the change from an earlier value in words, because a sign would be ambiguous beside a negative amount. Null if
 * the earlier value was zero.
 */
export function formatChange(now: string, before: string, isCount = false): string | null {
  const change = changeOf(now, before);
  if (change === null) return null;
  if (change === 0) return t('no change');
  const percent = formatPercent(Math.abs(change));
  const less = isCount ? t('{percent} fewer', { percent }) : t('{percent} less', { percent });
  return (change > 0 ? t('{percent} more', { percent }) : less).replaceAll(' ', '\u00a0');
}
