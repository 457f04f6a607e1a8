import { formatLocale } from '../locale.ts';
import { numberFormat } from '../number-format.ts';

/** Maximum number of horizontal lines, including the outer two. */
const maxTicks = 6;

/**
 * Picks round values for the horizontal lines.
 * @returns at least two ascending values whose range includes zero and all given values
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

/** @returns the next 1, 2 or 5 times a power of ten */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const factor = [1, 2, 5].find((each) => each * power >= value) ?? 10;
  return factor * power;
}

/** @returns the amount in a few characters, such as `1.2M` */
export const formatShort = (value: number): string =>
  numberFormat({ notation: 'compact', maximumSignificantDigits: 3 }).format(value);

/** @returns the UTC day without its year, such as `12 Jul` */
export const formatShortDay = (day: string): string =>
  day === ''
    ? ''
    : new Intl.DateTimeFormat(formatLocale(), { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(
        new Date(`${day}T00:00:00Z`),
      );
