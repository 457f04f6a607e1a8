import type { Db } from '../../platform/database/database.ts';
import { quoted } from './line-problems.ts';
import type { MemberLine } from './parse-members.ts';

/** Most tiers that a sentence names. */
const maxNamed = 20;

/** @returns names of a group's tiers, the one with the lowest share first */
export async function readTierNames(db: Db, publisherId: string, groupId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('tier')
    .select('name')
    .where('publisher_id', '=', publisherId)
    .where('group_id', '=', groupId)
    .orderBy('share_millionths')
    .orderBy('name')
    .execute();
  return rows.map(({ name }) => name);
}

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

function choice(names: readonly string[]): string {
  if (names.length === 0) return 'it has no tiers, so leave the cell empty';
  const named = names.slice(0, maxNamed).join(', ');
  return `use one of ${named}${names.length > maxNamed ? ` and ${names.length - maxNamed} more` : ''}`;
}
