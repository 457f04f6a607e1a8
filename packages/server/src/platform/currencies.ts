/**
 * The contract's currencies, grouped by the number of decimal places in their major unit. Current and withdrawn ISO
 * 4217 codes follow the standard. BTC is counted in satoshi. The pounds of the Crown dependencies (GGP, IMP, JEP) have
 * the same number of decimal places as GBP. Metals and XDR don't have a minor unit.
 */
const exponents = {
  0: 'BIF BYR CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XAG XAU XDR XOF XPF',
  2:
    'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP ' +
    'CRC CUC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GGP GHS GIP GMD GTQ GYD HKD HNL HRK HTG HUF IDR ' +
    'ILS IMP INR IRR JEP JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL LTL LVL MAD MDL MGA MKD MMK MNT MOP MRO MUR ' +
    'MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP ' +
    'SLL SOS SRD STD SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VEF WST XCD YER ZAR ZMK ZMW ZWL',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF',
  8: 'BTC',
} as const;

const exponentOf: ReadonlyMap<string, number> = new Map(
  Object.entries(exponents).flatMap(([exponent, codes]) =>
    codes.split(' ').map((code) => [code, Number(exponent)] as const),
  ),
);

/** Currency codes in alphabetical order. */
export const currencyCodes: readonly string[] = [...exponentOf.keys()].sort();

/** Returns the number of decimal places in the currency's major unit (USD 2, JPY 0, BTC 8). */
export function currencyExponent(code: string): number {
  const exponent = exponentOf.get(code);
  if (exponent === undefined) throw new Error(`not a currency of the contract: ${code}`);
  return exponent;
}
