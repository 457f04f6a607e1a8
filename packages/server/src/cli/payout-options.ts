import { InvalidArgumentError } from 'commander';
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
