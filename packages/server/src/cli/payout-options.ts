import { OperatorError } from '../platform/operator-error.ts';
import { parseTimestamp } from '../platform/timestamps.ts';

/** Reads the value of --as-of. */
export function asTime(text: string): Date {
  const ms = parseTimestamp(text);
  if (ms === null) throw new OperatorError('--as-of must be a timestamp, as printed by the preview.');
  return new Date(ms);
}
