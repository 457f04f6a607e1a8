import { isDeepStrictEqual } from 'node:util';
import type { Facts } from './record-change.ts';

/** What becomes different of a thing: the facts that change, as they were and as they will be. */
export interface Differences<Stored extends Facts> {
  before: Partial<Stored>;
  after: Partial<Stored>;
}

/**
 * Compares what is stored with what is wanted; what is undefined there stays as it is.
 * @returns null when nothing becomes different
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
