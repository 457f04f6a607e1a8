import { codesByExponent } from '../client/currencies.gen.ts';

const exponents = new Map(
  Object.entries(codesByExponent).flatMap(([exponent, codes]) =>
    codes.split(' ').map((code) => [code, Number(exponent)] as const),
  ),
);

/** @returns digits after the point, as the service has them (`Intl` has others for 19 codes); null for no currency of ours */
export const exponentOf = (currency: string): number | null => exponents.get(currency) ?? null;

/** Every currency there is, in alphabetical order. */
export const currencies: readonly string[] = [...exponents.keys()].sort();
