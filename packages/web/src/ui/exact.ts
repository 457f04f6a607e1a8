import { exponentOf } from './currencies.ts';
import { numberFormat } from './number-format.ts';

/** Formats an amount before rounding. @param exact minor units with decimals: `499.5` USD is shown as `4.995` */
export function formatExact(exact: string, currency: string): string {
  const exponent = exponentOf(currency);
  if (exponent === null) return exact;
  const [whole = '', fraction = ''] = exact.split('.');
  const digits = whole.padStart(exponent + 1, '0');
  const at = digits.length - exponent;
  const decimal = `${digits.slice(0, at)}.${digits.slice(at)}${fraction}`;
  return numberFormat({
    minimumFractionDigits: exponent + fraction.length,
    maximumFractionDigits: exponent + fraction.length,
  }).format(decimal as unknown as number); // `format` is exact for strings
}
