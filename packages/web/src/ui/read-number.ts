import { exponentOf } from './currencies.ts';

/** Reason why a typed number is refused. */
export type Problem = 'empty' | 'not a number' | 'negative' | 'decimals' | 'unclear' | 'currency' | 'range';

/** Number that was typed, or the reason why there is none. */
export type Reading<Value> = { value: Value; problem: null } | { value: null; problem: Problem };

/** Smallest and largest value that a field takes. */
export interface Bounds {
  min: bigint;
  max: bigint;
}

const refused = (problem: Problem): { value: null; problem: Problem } => ({ value: null, problem });

/** Decimals of a percentage, as the service stores it. */
export const percentDecimals = 4;

/**
 * Reads a share in percent: `12.5`, `12,5`, `.5`, `12.5 %`. Nothing is grouped in so small a number, so a point and a comma
 * both mark decimals.
 * @param bounds in whole percent
 */
export function readPercent(typed: string, bounds: Bounds): Reading<number> {
  const { value, problem } = readDecimal(typed.replace(/(?<=[\d.,])\s*%\s*$/, ''), percentDecimals, false);
  if (problem !== null) return refused(problem);
  const unit = 10n ** BigInt(percentDecimals);
  if (value < bounds.min * unit || value > bounds.max * unit) return refused('range');
  return { value: Number(pointed(value, percentDecimals)), problem: null };
}

/** Reads a whole number: `30`, `1,000`. */
export function readWhole(typed: string, bounds: Bounds): Reading<bigint> {
  return within(readDecimal(typed, 0, true), bounds);
}

/**
 * Reads an amount of a currency, with or without the currency itself: `647.85`, `647,85`, `1,234.50`, `1.234,50 EUR`, `$5`.
 * A comma before exactly three digits groups them, as the screens write it; where the currency has three decimals of its own
 * it could mean either, and is refused.
 * @returns minor units
 */
export function readAmount(typed: string, currency: string, bounds?: Bounds): Reading<bigint> {
  const decimals = exponentOf(currency) ?? 0;
  const word = typed.replaceAll(/[\d\s.,'’+−-]/g, '');
  let text = typed.trim();
  if (word !== '') {
    const isAtStart = text.startsWith(word);
    if (!isAtStart && !text.endsWith(word)) return refused('not a number');
    if (word.toUpperCase() !== currency && word !== symbolOf(currency))
      return refused(/^[A-Z]{3}$/i.test(word) ? 'currency' : 'not a number');
    text = isAtStart ? text.slice(word.length) : text.slice(0, -word.length);
  }
  const reading = readDecimal(text, decimals, true);
  return bounds === undefined ? reading : within(reading, bounds);
}

/** Writes an amount as a field holds it: without groups and in no reader's own way, `1234.50`. */
export const amountText = (minor: string, currency: string): string =>
  pointed(BigInt(minor), exponentOf(currency) ?? 0);

function symbolOf(currency: string): string | undefined {
  const style = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const;
  return new Intl.NumberFormat('en', style).formatToParts(0).find(({ type }) => type === 'currency')?.value;
}

function within(reading: Reading<bigint>, { min, max }: Bounds): Reading<bigint> {
  if (reading.problem !== null) return reading;
  return reading.value < min || reading.value > max ? refused('range') : reading;
}

/** Longer texts are no number that anybody types. */
const maxLength = 64;

/** Digits in groups of three (or of two before the last, as in India), and perhaps decimals behind another mark. */
const grouped = /^(\d{1,3}([,.\s'’])(?:\d{2,3}\2)*\d{3})(?:([.,])(\d*))?$/;
const plain = /^(\d*)(?:[.,](\d*))?$/;

/** @returns the number in units of its last decimal: 12.5 with four decimals is 125000 */
function readDecimal(typed: string, decimals: number, mayGroup: boolean): Reading<bigint> {
  const text = typed.trim();
  if (text === '') return refused('empty');
  if (text.length > maxLength) return refused('not a number');
  if (/^[-−]/.test(text)) return refused('negative');
  const parts = (mayGroup ? readGroups(text, decimals) : null) ?? readPlain(text);
  if (typeof parts === 'string') return refused(parts);
  const [whole, fraction] = parts;
  if (fraction.length > decimals) return refused('decimals');
  return { value: BigInt(whole + fraction.padEnd(decimals, '0')), problem: null };
}

type Parts = readonly [whole: string, fraction: string];

/** @returns null for what has no groups */
function readGroups(text: string, decimals: number): Parts | Problem | null {
  const match = grouped.exec(text);
  if (match === null) return null;
  const [, whole = '', separator = '', mark, fraction = ''] = match;
  const isOneGroup = mark === undefined && whole.split(separator).length === 2;
  // `0.125`, `1.234`: a point alone marks decimals.
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
