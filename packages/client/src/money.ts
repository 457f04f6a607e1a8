import type { Currency } from './api.generated.ts';
import { codesByExponent } from './currencies.generated.ts';

/** Amount of money. */
export interface Money {
  /** Whole number of the currency's minor units, up to 2^53 − 1: 999 is 9.99 USD, and 500 is 500 JPY. */
  readonly amount: number;
  readonly currency: Currency;
}

/**
 * Converts an amount in major units to minor units, exactly: `money('9.99', 'USD')` is `{ amount: 999, currency: 'USD' }`.
 * @param major digits with at most the currency's decimal places (USD 2, JPY 0, KWD 3); further zeros are accepted
 * @throws RangeError if the amount is negative, not a number, a fraction of a minor unit or greater than 2^53 − 1 minor
 *   units, or if the currency is unknown
 */
export function money(major: string, currency: Currency): Money {
  const exponent = exponentOf(currency);
  const [, whole = '', fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(major) ?? [];
  const amount = Number(whole + fraction.slice(0, exponent).padEnd(exponent, '0'));
  if (whole === '' || /[1-9]/.test(fraction.slice(exponent)) || !Number.isSafeInteger(amount))
    throw new RangeError(`${major} is not an amount of ${currency} with up to ${exponent} decimal places.`);
  return { amount, currency };
}

function exponentOf(currency: Currency): number {
  const [exponent] =
    Object.entries(codesByExponent).find(([, codes]) => codes.split(' ').includes(currency)) ?? [];
  if (exponent === undefined) throw new RangeError(`${currency} is not a known currency.`);
  return Number(exponent);
}
