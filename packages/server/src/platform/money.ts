import { currencyExponent } from './currencies.ts';

/** Maximum amount that the service accepts: 2^53 − 1 minor units, which every JSON parser reads exactly. */
export const maxAmountMinor = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * Converts a number from a request to whole minor units. The conversion is exact because it shifts decimal digits
 * instead of multiplying.
 * @param value the number as sent: in major units if `exponent` > 0, in minor units if `exponent` is 0
 * @param exponent number of decimal places in the major unit, from 0 to 8
 * @returns minor units, or null if the result is not a whole number from 0 to 2^53 − 1
 */
export function toMinorUnits(value: number, exponent: number): bigint | null {
  if (exponent === 0) return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : null;
  const parts = /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value));
  if (parts === null) return null;
  const [, whole = '', fraction = '', power = '0'] = parts;
  const zeros = exponent + Number(power) - fraction.length;
  if (zeros > 16) return null;
  const digits = BigInt(whole + fraction);
  const minor = zeros >= 0 ? digits * 10n ** BigInt(zeros) : digits / 10n ** BigInt(-zeros);
  if (zeros < 0 && minor * 10n ** BigInt(-zeros) !== digits) return null;
  return minor <= maxAmountMinor ? minor : null;
}

/** Formats an amount in major units with all of its currency's decimal places: 123456 USD → 1234.56. */
export function formatMinorUnits(amountMinor: bigint, currency: string): string {
  const exponent = currencyExponent(currency);
  const digits = String(amountMinor < 0n ? -amountMinor : amountMinor).padStart(exponent + 1, '0');
  const sign = amountMinor < 0n ? '-' : '';
  if (exponent === 0) return sign + digits;
  return `${sign}${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}

/** Adds thousands separators: `1234567.89` becomes `1,234,567.89`. */
export function groupDigits(number: string): string {
  const [whole = '', fraction] = number.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** Formats an amount for a reader, with its currency: `1,234.50 USD`. */
export const amountText = (amountMinor: bigint, currency: string): string =>
  `${groupDigits(formatMinorUnits(amountMinor, currency))} ${currency}`;

/**
 * Converts decimal text from minor to major units: `499.5` in USD becomes `4.995`.
 * @param exactMinor ≥ 0, possibly with decimal places
 */
export function shiftToMajorUnits(exactMinor: string, currency: string): string {
  const [whole = '0', fraction = ''] = exactMinor.split('.');
  const major = formatMinorUnits(BigInt(whole), currency);
  if (fraction === '') return major;
  return major.includes('.') ? `${major}${fraction}` : `${major}.${fraction}`;
}
