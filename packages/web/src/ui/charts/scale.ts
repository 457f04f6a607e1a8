import { formatLocale } from '../locale.ts';

/** Lines across the chart, the outer two included, at most. */
const maxTicks = 6;

/**
 * Picks round amounts to draw lines at.
 * @returns ascending values that enclose zero and everything drawn; at least two
 */
export function ticksFor(values: readonly number[]): number[] {
  const low = Math.min(0, ...values);
  const high = Math.max(0, ...values);
  if (low === high) return [0, 1];
  const step = roundUp((high - low) / (maxTicks - 2));
  const from = Math.floor(low / step);
  const to = Math.ceil(high / step);
  return Array.from({ length: to - from + 1 }, (_, at) => (from + at) * step);
}

/** @returns the next 1, 2 or 5 of a power of ten */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const factor = [1, 2, 5].find((each) => each * power >= value) ?? 10;
  return factor * power;
}

/** @returns a few characters for any amount: `1.2M` */
export const formatShort = (value: number): string =>
  new Intl.NumberFormat(formatLocale(), { notation: 'compact', maximumSignificantDigits: 3 }).format(value);

/** @returns a UTC day without its year: `12 Jul` */
export const formatShortDay = (day: string): string =>
  day === ''
    ? ''
    : new Intl.DateTimeFormat(formatLocale(), { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(
        new Date(`${day}T00:00:00Z`),
      );
