/**
 * Converts a percentage from a request to millionths of the whole, rounded half to even: 12.3456 → 123456.
 * @param percent 0 … 100
 * @returns 0 … 1_000_000
 */
export function percentToMillionths(percent: number): number {
  const parts = /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(percent));
  if (parts === null || percent > 100) throw new RangeError(`not a percent from 0 to 100: ${percent}`);
  const [, whole = '', fraction = '', power = '0'] = parts;
  const shift = 4 + Number(power) - fraction.length;
  const digits = BigInt(whole + fraction);
  if (shift >= 0) return Number(digits * 10n ** BigInt(shift));
  return Number(divideHalfEven(digits, 10n ** BigInt(-shift)));
}

/** Returns a percentage with at most four decimal places: 123456 → 12.3456. */
export const millionthsToPercent = (millionths: number): number => millionths / 10_000;

/** Rounds a percentage to the four decimal places that are stored. */
export const roundPercent = (percent: number): number => millionthsToPercent(percentToMillionths(percent));

/** Divides whole numbers ≥ 0 and rounds to the nearest integer, with ties to even. */
export function divideHalfEven(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  const twice = (dividend % divisor) * 2n;
  const up = twice > divisor || (twice === divisor && quotient % 2n === 1n);
  return up ? quotient + 1n : quotient;
}
