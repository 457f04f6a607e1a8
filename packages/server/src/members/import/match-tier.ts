import { choiceOfTiers } from '../../publishers/tier-names.ts';
import { quoted } from './line-problems.ts';
import type { MemberLine } from './parse-members.ts';

/** Spells a line's tier as the group does; adds a problem to the line when the group has no tier of that name. */
export function matchTier({ said, problems }: MemberLine, names: readonly string[], groupName: string): void {
  const { tier } = said;
  if (tier === undefined || tier === null || names.includes(tier)) return;
  const alike = names.filter((name) => name.toLowerCase() === tier.toLowerCase());
  const [only, ...others] = alike;
  if (only !== undefined && others.length === 0) {
    said.tier = only;
    return;
  }
  delete said.tier;
  problems.push(
    alike.length > 1
      ? `${groupName} has more than one tier ${quoted(tier)}; ${choice(alike)}.`
      : `${groupName} has no tier ${quoted(tier)}; ${choice(names)}.`,
  );
}

const choice = (names: readonly string[]): string =>
  names.length === 0 ? 'it has no tiers, so leave the cell empty' : choiceOfTiers(names);
