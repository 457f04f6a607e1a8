import { code as isoCurrency } from 'currency-codes';
import { expect, test } from 'vitest';
import { currencyCodes, currencyExponent } from './currencies.ts';

const ofTheContract = (
  'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTC BTN ' +
  'BWP BYN BYR BZD CAD CDF CHF CLF CLP CNY COP CRC CUC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB ' +
  'EUR FJD FKP GBP GEL GGP GHS GIP GMD GNF GTQ GYD HKD HNL HRK HTG HUF IDR ILS IMP INR IQD IRR ' +
  'ISK JEP JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LTL LVL LYD MAD ' +
  'MDL MGA MKD MMK MNT MOP MRO MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK ' +
  'PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLL SOS SRD STD SVC SYP SZL ' +
  'THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VEF VND VUV WST XAF XAG XAU XCD XDR ' +
  'XOF XPF YER ZAR ZMK ZMW ZWL'
)
  .trim()
  .split(' ');

test('has exactly the 168 currencies of the contract', () => {
  expect(ofTheContract).toHaveLength(168);
  expect(currencyCodes).toEqual([...ofTheContract].sort());
});

/** Decimal places of codes that are missing from the current ISO 4217 list. */
const ours: Readonly<Record<string, number>> = {
  BTC: 8, // satoshi
  GGP: 2, // local pounds, like GBP
  IMP: 2,
  JEP: 2,
  BYR: 0, // withdrawn, like all codes below
  HRK: 2,
  LTL: 2,
  LVL: 2,
  MRO: 2,
  SLL: 2,
  STD: 2,
  VEF: 2,
  ZMK: 2,
  ZWL: 2,
};

test.each(ofTheContract)('%s has the decimals of ISO 4217, or those listed above', (code) => {
  const iso = isoCurrency(code)?.digits;
  expect([iso, ours[code]]).toContain(undefined);
  expect(currencyExponent(code)).toBe(iso ?? ours[code]);
});

test.each(['', 'usd', 'XXX', 'USDT', ' USD', '__proto__', 'constructor'])('rejects %j', (code) => {
  expect(currencyCodes).not.toContain(code);
  expect(() => currencyExponent(code)).toThrow('not a currency');
});
