import fc from 'fast-check';
import { expect, test } from 'vitest';
import { currencyCodes } from '../../server/src/platform/currencies.ts';
import { formatMinorUnits } from '../../server/src/platform/money.ts';
import { type Currency, money } from '../src/index.ts';

const currency = fc.constantFrom(...currencyCodes) as fc.Arbitrary<Currency>;

test('money reads every amount as the service formats it', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger().map(Math.abs), currency, (amount, code) => {
      expect(money(formatMinorUnits(BigInt(amount), code), code)).toEqual({ amount, currency: code });
    }),
  );
});

test.each([
  ['9.9900', 'USD', 999],
  ['9', 'USD', 900],
  ['0.001', 'KWD', 1],
  ['500.00', 'JPY', 500],
  ['007.5', 'EUR', 750],
] as const)('money(%s, %s) is %i', (major, code, amount) => {
  expect(money(major, code)).toEqual({ amount, currency: code });
});

test.each(['', '-1', '+1', '1.', '.5', '1e3', '1,000.00', '9.999', ' 1', 'NaN', '90071992547409.92'])(
  'money rejects %j USD',
  (major) => {
    expect(() => money(major, 'USD')).toThrow(RangeError);
  },
);

test('money rejects fractions of whole currencies, unknown currencies and numbers', () => {
  expect(() => money('1.5', 'JPY')).toThrow(RangeError);
  expect(() => money('1', 'XXX' as Currency)).toThrow(RangeError);
  expect(() => money(Number.NaN as never, 'USD')).toThrow(RangeError);
});
