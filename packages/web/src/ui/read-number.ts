import { exponentOf } from './currencies.ts';

/** Reason why a typed number is rejected. */
export type Problem = 'empty' | 'not a number' | 'negative' | 'decimals' | 'unclear' | 'currency' | 'range';

/** Typed number, or the reason why it is rejected. */
export type Reading<Value> = { value: Value; problem: null } | { value: null; problem: Problem };

/** Smallest and largest value that a field accepts. */
export interface Bounds {
  min: bigint;
  max: bigint;
}

const rejected = (problem: Problem): { value: null; problem: Problem } => ({ value: null, problem });

/** Number of decimal places that the service stores for a percentage. */
export const percentDecimals = 4;

/**
 * Parses a percentage, such as `12.5`, `12,5`, `.5` or `12.5 %`. Percentages are too small for thousands
 * separators, so a point and a comma are both read as the decimal separator.
 * @param bounds in whole percent
 */
export function readPercent(typed: string, bounds: Bounds): Reading<number> {
  const { value, problem } = readDecimal(typed.replace(/(?<=[\d.,])\s*%\s*$/, ''), percentDecimals, false);
  if (problem !== null) return rejected(problem);
  const unit = 10n ** BigInt(percentDecimals);
  if (value < bounds.min * unit || value > bounds.max * unit) return rejected('range');
  return { value: Number(pointed(value, percentDecimals)), problem: null };
}

/** Parses a whole number, such as `30` or `1,000`. */
export function readWhole(typed: string, bounds: Bounds): Reading<bigint> {
  return within(readDecimal(typed, 0, true), bounds);
}

/**
 * Parses an amount with or without its currency, such as `647.85`, `647,85`, `1,234.50`, `1.234,50 EUR` or
 * `$5`. A comma before exactly three digits separates thousands, as it does on the screens. For a currency with
 * three decimal places, such a comma is ambiguous and therefore rejected.
 * @returns minor units
 */
export function readAmount(typed: string, currency: string, bounds?: Bounds): Reading<bigint> {
  const decimals = exponentOf(currency) ?? 0;
  const word = typed.replaceAll(/[\d\s.,'’+−-]/g, '');
  let text = typed.trim();
  if (word !== '') {
    const isAtStart = text.startsWith(word);
    if (!isAtStart && !text.endsWith(word)) return rejected('not a number');
    if (word.toUpperCase() !== currency && word !== symbolOf(currency))
      return rejected(/^[A-Z]{3}$/i.test(word) ? 'currency' : 'not a number');
    text = isAtStart ? text.slice(word.length) : text.slice(0, -word.length);
  }
  const reading = readDecimal(text, decimals, true);
  return bounds === undefined ? reading : within(reading, bounds);
}

/** Formats an amount for a field, without separators and regardless of the locale, such as `1234.50`. */
export const amountText = (minor: string, currency: string): string =>
  pointed(BigInt(minor), exponentOf(currency) ?? 0);

function symbolOf(currency: string): string | undefined {
  const style = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const;
  return new Intl.NumberFormat('en', style).formatToParts(0).find(({ type }) => type === 'currency')?.value;
}

function within(reading: Reading<bigint>, { min, max }: Bounds): Reading<bigint> {
  if (reading.problem !== null) return reading;
  return reading.value < min || reading.value > max ? rejected('range') : reading;
}

/** Maximum length of text that is accepted as a number. */
const maxLength = 64;

/**
 * Digits in groups of three (or two before the last group, as in India), optionally followed by decimals
 * after a different separator.
 */
const grouped = /^(\d{1,3}([,.\s'’])(?:\d{2,3}\2)*\d{3})(?:([.,])(\d*))?$/;
const plain = /^(\d*)(?:[.,](\d*))?$/;

/** @returns the number in units of its last decimal place: 12.5 with four decimal places is 125000 */
function readDecimal(typed: string, decimals: number, mayGroup: boolean): Reading<bigint> {
  const text = typed.trim();
  if (text === '') return rejected('empty');
  if (text.length > maxLength) return rejected('not a number');
  if (/^[-−]/.test(text)) return rejected('negative');
  const parts = (mayGroup ? readGroups(text, decimals) : null) ?? readPlain(text);
  if (typeof parts === 'string') return rejected(parts);
  const [whole, fraction] = parts;
  if (fraction.length > decimals) return rejected('decimals');
  return { value: BigInt(whole + fraction.padEnd(decimals, '0')), problem: null };
}

type Parts = readonly [whole: string, fraction: string];

/** @returns null for text without groups of digits */
function readGroups(text: string, decimals: number): Parts | Problem | null {
  const match = grouped.exec(text);
  if (match === null) return null;
  const [, whole = '', separator = '', mark, fraction = ''] = match;
  const isOneGroup = mark === undefined && whole.split(separator).length === 2;
  // `0.125`, `1.234`: a single point is a decimal point.
  if (isOneGroup && (whole.startsWith('0') || separator === '.')) return null;
  if (whole.startsWith('0') || mark === separator) return 'not a number';
  if (isOneGroup && separator === ',' && decimals >= 3) return 'unclear';
  return [whole.replaceAll(/\D/g, ''), fraction];
}

function readPlain(text: string): Parts | Problem {
  const match = plain.exec(text);
  const [, whole = '', fraction = ''] = match ?? [];
  return whole + fraction === '' ? 'not a number' : [whole, fraction];
}

function pointed(units: bigint, decimals: number): string {
  const digits = String(units).padStart(decimals + 1, '0');
  const at = digits.length - decimals;
  return decimals === 0 ? digits : `${digits.slice(0, at)}.${digits.slice(at)}`;
}
