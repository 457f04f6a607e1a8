import { choiceOfTiers } from '../../publishers/tier-names.ts';
import { quoted } from './line-problems.ts';
import type { MemberLine } from './parse-members.ts';

/** Replaces a line's tier with the group's spelling, or adds a problem to the line if the group has no such tier. */
export function matchTier(
  { input, problems }: MemberLine,
  names: readonly string[],
  groupName: string,
): void {
  const { tier } = input;
  if (tier === undefined || tier === null || names.includes(tier)) return;
  const alike = names.filter((name) => name.trim().toLowerCase() === tier.toLowerCase());
  const [only, ...others] = alike;
  if (only !== undefined && others.length === 0) {
    input.tier = only;
    return;
  }
  delete input.tier;
  problems.push(
    alike.length > 1
      ? `${groupName} has more than one tier named ${quoted(tier)}; ${choice(alike)}.`
      : `${groupName} has no tier named ${quoted(tier)}; ${choice(names)}.`,
  );
}

const choice = (names: readonly string[]): string =>
  names.length === 0 ? 'it has no tiers, so leave the cell empty' : choiceOfTiers(names);
