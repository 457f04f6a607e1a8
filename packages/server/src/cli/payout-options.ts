import { InvalidArgumentError, Option } from 'commander';
import { currencyCodes } from '../platform/currencies.ts';
import { OperatorError } from '../platform/operator-error.ts';
import { parseTimestamp } from '../platform/timestamps.ts';

/** Reads the value of --as-of. */
export function asTime(text: string): Date {
  const ms = parseTimestamp(text);
  if (ms === null) throw new OperatorError('--as-of must be a timestamp, as printed by the preview.');
  return new Date(ms);
}

/** Reads the value of an option with a time. */
export function timestampArgument(text: string): Date {
  const ms = parseTimestamp(text);
  if (ms === null) throw new InvalidArgumentError('It must be an ISO 8601 timestamp with Z or an offset.');
  return new Date(ms);
}

export const exactlyOption = (): Option =>
  new Option('--exactly', 'create nothing if a member would be paid less than the preview showed');

/** Reads the value of --currency, in any case. */
export function currencyCode(text: string): string {
  const code = text.toUpperCase();
  if (!currencyCodes.includes(code))
    throw new InvalidArgumentError('It must be the code of a supported currency, such as USD.');
  return code;
}
