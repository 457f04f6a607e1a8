import { currencyCodes, currencyExponent } from '../platform/currencies.ts';
import { maxAmountMinor } from '../platform/money.ts';
import type { Amount, SentAmount } from './movement.ts';
import { Unreadable } from './provider.ts';

/** Units in which providers send amounts. */
export type Unit = 'stripe' | 'minor' | 'major' | 'hundredths';

/**
 * Currencies whose amounts Stripe sends with another number of decimal places than ISO 4217. ISK and UGX have none, but are sent in
 * hundredths. MGA has two at ISO, of which Stripe uses none.
 */
const stripeExponents: Readonly<Record<string, number>> = { ISK: 2, UGX: 2, MGA: 0, CLF: 4 };

/** Returns how many decimal places an integer of the unit stands for. */
export function sentExponent(unit: Unit, currency: string): number {
  switch (unit) {
    case 'major':
      return 0;
    case 'hundredths':
      return 2;
    case 'minor':
      return currencyExponent(currency);
    case 'stripe':
      return stripeExponents[currency] ?? currencyExponent(currency);
  }
}

/**
 * Converts an amount to our minor units by shifting its decimal digits.
 * @throws Unreadable for an unknown currency, and for an amount that isn't whole in our unit
 */
export function toAmount({ text, currency }: SentAmount, unit: Unit): Amount {
  if (!(currencyCodes as readonly string[]).includes(currency))
    throw new Unreadable(`The currency ${currency.slice(0, 10)} is not supported.`);
  const parts = /^(\d{1,20})(?:\.(\d{1,20}))?$/.exec(text);
  if (parts === null) throw new Unreadable(`The amount in ${currency} is not a number of at least 0.`);
  const [, whole = '', fraction = ''] = parts;
  const shift = currencyExponent(currency) - sentExponent(unit, currency) - fraction.length;
  const digits = BigInt(whole + fraction);
  const minor = shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift);
  if (shift < 0 && minor * 10n ** BigInt(-shift) !== digits)
    throw new Unreadable(`The amount in ${currency} has more decimal places than the currency.`);
  if (minor > maxAmountMinor) throw new Unreadable(`The amount in ${currency} is too large.`);
  return { minor, currency };
}
