import type { Movement } from '../movement.ts';

/** Writes what was read as JSON. Amounts are text, because they are bigints. */
export const toReading = (movement: Movement): string =>
  JSON.stringify(movement, (_name, value) => (typeof value === 'bigint' ? { bigint: String(value) } : value));

/** Reads what was written; null for an event that couldn't be read. */
export function fromReading(reading: string | null): Movement | null {
  if (reading === null) return null;
  const value = JSON.parse(reading, (_name, each) =>
    typeof each === 'object' && each !== null && typeof each.bigint === 'string' ? BigInt(each.bigint) : each,
  ) as Movement | { problem: string };
  return 'problem' in value ? null : value;
}

/** Returns the reason an event couldn't be read; null for one that was. */
export function problemIn(reading: string | null): string | null {
  if (reading === null) return null;
  const value = JSON.parse(reading) as { problem?: string };
  return value.problem ?? null;
}
