import type { CollectedRefusals } from '../../platform/collect-refusals.ts';
import { type InputPath, Refusal } from '../../platform/refusal.ts';

/**
 * Rejects duplicates in a list with InvalidInput at the duplicates' positions, because otherwise one entry
 * would silently override another.
 * @param names names in the order of the list; undefined for entries without a name
 * @param path path of the list
 */
export function rejectDuplicates(
  refusals: CollectedRefusals,
  what: string,
  names: readonly (string | undefined)[],
  path: InputPath,
): void {
  const seen = new Set<string>();
  for (const [index, name] of names.entries()) {
    if (name === undefined) continue;
    if (seen.has(name))
      refusals.add(
        new Refusal('InvalidInput', `${what} ${name} is listed twice`, { path: [...path, index] }),
      );
    seen.add(name);
  }
}
