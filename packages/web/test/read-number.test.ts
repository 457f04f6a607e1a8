import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { amountText, readAmount, readPercent, readWhole } from '../src/ui/read-number.ts';

const whole100 = { min: 0n, max: 100n };

describe('readPercent', () => {
  test.each([
    ['12.5', 12.5],
    ['12,5', 12.5],
    ['0,1234', 0.1234],
    ['1', 1],
    ['.5', 0.5],
    ['1.', 1],
    ['12.5%', 12.5],
    [' 12,5 % ', 12.5],
    ['100', 100],
  ])('parses %j as %d', (typed, value) => {
    expect(readPercent(typed, whole100)).toEqual({ value, problem: null });
  });

  test.each([
    ['', 'empty'],
    ['400', 'range'],
    ['100.0001', 'range'],
    ['-5', 'negative'],
    ['−5', 'negative'],
    ['12.34567', 'decimals'],
    ['1.2.3', 'not a number'],
    ['1,234.5', 'not a number'],
    ['1e1', 'not a number'],
    ['%', 'not a number'],
    ['.', 'not a number'],
    ['12 5', 'not a number'],
    ['9'.repeat(1_000_000), 'not a number'],
  ])('rejects %j: %s', (typed, problem) => {
    expect(readPercent(typed, whole100)).toEqual({ value: null, problem });
  });

  test('parses up to four decimal places after a point or a comma', () => {
    const units = fc.integer({ min: 0, max: 1_000_000 });
    fc.assert(
      fc.property(units, fc.constantFrom('.', ','), fc.constantFrom('', '%', ' %'), (each, mark, sign) => {
        const typed = `${Math.floor(each / 10_000)}${mark}${String(each % 10_000).padStart(4, '0')}${sign}`;
        expect(readPercent(typed, whole100).value).toBe(each / 10_000);
      }),
    );
  });
});

describe('readAmount', () => {
  test.each([
    ['647.85', 'USD', 64785n],
    ['647,85', 'USD', 64785n],
    ['647.85 USD', 'USD', 64785n],
    ['usd 647,85', 'USD', 64785n],
    ['$647.85', 'USD', 64785n],
    ['1,234', 'USD', 123400n],
    ['1,234.5', 'USD', 123450n],
    ['1.234,50', 'EUR', 123450n],
    ['1 234,50 €', 'EUR', 123450n],
    ['1’234.50', 'CHF', 123450n],
    ['12,34,567.00', 'INR', 123456700n],
    ['1.234.567', 'USD', 123456700n],
    ['5,000', 'JPY', 5000n],
    ['1.234', 'BHD', 1234n],
    ['.5', 'USD', 50n],
    ['90071992547409931234.56', 'USD', 9007199254740993123456n],
  ])('parses %j in %s as %d', (typed, currency, value) => {
    expect(readAmount(typed, currency)).toEqual({ value, problem: null });
  });

  test.each([
    ['', 'USD', 'empty'],
    ['-5', 'USD', 'negative'],
    ['$-5', 'USD', 'negative'],
    ['12.345', 'USD', 'decimals'],
    ['1.234', 'USD', 'decimals'],
    ['0,123', 'USD', 'decimals'],
    ['12.5', 'JPY', 'decimals'],
    ['1,234', 'BHD', 'unclear'],
    ['647.85 EUR', 'USD', 'currency'],
    ['€5', 'USD', 'not a number'],
    ['1,2,3', 'USD', 'not a number'],
    ['1,234,5', 'USD', 'not a number'],
    ['6USD7', 'USD', 'not a number'],
    ['5 USD 6 USD', 'USD', 'not a number'],
  ])('rejects %j in %s: %s', (typed, currency, problem) => {
    expect(readAmount(typed, currency)).toEqual({ value: null, problem });
  });

  test('parses an amount back from the notation of any locale, or rejects it', () => {
    const styles = ['en-US', 'de-DE', 'fr-FR', 'de-CH', 'en-IN', 'en-ZA', 'pl-PL'];
    const currencies = fc.constantFrom(['USD', 2], ['JPY', 0], ['BHD', 3]);
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 16n), currencies, fc.constantFrom(...styles), (minor, of, style) => {
        const [currency, decimals] = of as [string, number];
        const text = amountText(String(minor), currency);
        expect(readAmount(text, currency).value).toBe(minor);
        const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
        const written = new Intl.NumberFormat(style, digits).format(text as unknown as number);
        const { value, problem } = readAmount(`${written} ${currency}`, currency);
        // In a currency without decimal places, a point as the thousands separator is rejected, never
        // misread.
        if (problem === null) expect(value).toBe(minor);
        else expect([problem, decimals]).toEqual(['decimals', 0]);
      }),
    );
  });

  test('never drops or adds digits of random input', () => {
    const typed = fc.string({ unit: fc.constantFrom(...'0123456789.,- ’USDEUR$€%e+'), maxLength: 12 });
    fc.assert(
      fc.property(typed, (text) => {
        const { value } = readAmount(text, 'USD');
        if (value === null) return;
        expect(text).not.toMatch(/[-%e+€]/);
        const digits = text.replaceAll(/\D/g, '').replace(/^0+/, '');
        expect([digits, `${digits}0`, `${digits}00`].map((each) => BigInt(each || '0'))).toContain(value);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('readWhole', () => {
  const days = { min: 1n, max: 3_650n };
  test.each([
    ['30', 30n],
    ['1,000', 1_000n],
    ['3650', 3_650n],
  ])('parses %j as %d', (typed, value) => expect(readWhole(typed, days)).toEqual({ value, problem: null }));
  test.each([
    ['0', 'range'],
    ['4000', 'range'],
    ['12.5', 'decimals'],
    ['1.000', 'decimals'],
    ['-1', 'negative'],
    ['ten', 'not a number'],
  ])('rejects %j: %s', (typed, problem) => expect(readWhole(typed, days)).toEqual({ value: null, problem }));
});
