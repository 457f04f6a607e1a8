import { codesByExponent } from '../client/currencies.gen.ts';

const exponents = new Map(
  Object.entries(codesByExponent).flatMap(([exponent, codes]) =>
    codes.split(' ').map((code) => [code, Number(exponent)] as const),
  ),
);

/**
 * @returns the number of decimal places, from the service's table because `Intl` differs for 19 currencies;
 * null for an unknown currency
 */
export const exponentOf = (currency: string): number | null => exponents.get(currency) ?? null;

/** All currencies, in alphabetical order. */
export const currencies: readonly string[] = [...exponents.keys()].sort();
