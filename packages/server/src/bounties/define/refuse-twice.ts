import type { CollectedRefusals } from '../../platform/collect-refusals.ts';
import { type InputPath, Refusal } from '../../platform/refusal.ts';

/**
 * Nothing stands in a list twice: one of the two would win, and nobody would see which. Each that does is refused at its
 * place, InvalidInput.
 * @param names by their places; undefined where there is none
 * @param path of the list
 */
export function refuseTwice(
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
        new Refusal('InvalidInput', `${what} ${name} stands here twice`, { path: [...path, index] }),
      );
    seen.add(name);
  }
}
