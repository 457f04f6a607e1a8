import type { Amount, Movement } from '../movement.ts';

/** Writes what was read as JSON. Amounts are text, because they are bigints. */
export const toReading = (movement: Movement): string =>
  JSON.stringify(movement, (_name, value) => (typeof value === 'bigint' ? { bigint: String(value) } : value));

/** Reads what was written; null for an event that couldn't be read. */
export function fromReading(reading: string | null): Movement | null {
  if (reading === null) return null;
  const value = parse(reading) as Movement | { problem: string };
  return 'problem' in value ? null : value;
}

/** Reads an amount that was written as part of a movement. */
export const readAmount = (amount: string | null): Amount | null =>
  amount === null ? null : (parse(amount) as Amount | null);

const parse = (written: string): unknown =>
  JSON.parse(written, (_name, each) =>
    typeof each === 'object' && each !== null && typeof each.bigint === 'string' ? BigInt(each.bigint) : each,
  );

/** Returns the reason an event couldn't be read; null for one that was. */
export function problemIn(reading: string | null): string | null {
  if (reading === null) return null;
  const value = JSON.parse(reading) as { problem?: string };
  return value.problem ?? null;
}
