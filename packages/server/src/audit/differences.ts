import { isDeepStrictEqual } from 'node:util';
import type { Facts } from './record-change.ts';

export interface Differences<Stored extends Facts> {
  before: Partial<Stored>;
  after: Partial<Stored>;
}

/**
 * Compares the stored facts with the desired facts. A desired value of undefined means that the fact doesn't
 * change.
 * @returns null if nothing changes
 */
export function differences<Stored extends Facts>(
  stored: Stored,
  wanted: { readonly [Name in keyof Stored]?: Stored[Name] | undefined },
): Differences<Stored> | null {
  const names = (Object.keys(stored) as (keyof Stored & string)[]).filter(
    (name) => wanted[name] !== undefined && !isDeepStrictEqual(wanted[name], stored[name]),
  );
  if (names.length === 0) return null;
  const pick = (from: { readonly [Name in keyof Stored]?: Stored[Name] | undefined }): Partial<Stored> =>
    Object.fromEntries(names.map((name) => [name, from[name]])) as Partial<Stored>;
  return { before: pick(stored), after: pick(wanted) };
}
