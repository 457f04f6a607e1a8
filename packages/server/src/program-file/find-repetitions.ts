import { foldCode } from '../members/read/resolve-codes.ts';
import type { InputPath } from '../platform/refusal.ts';
import type { Program } from './program-schema.ts';

export interface FileProblem {
  path: InputPath;
  message: string;
}

type RequireUnique = (
  kind: string,
  names: readonly (string | null)[] | undefined,
  ...path: (string | number)[]
) => void;

/** Finds duplicates in a program file, because otherwise the last entry would silently win. */
export function findRepetitions({ publisher, groups = [] }: Program): FileProblem[] {
  const found: FileProblem[] = [];
  const requireUnique: RequireUnique = (kind, names, ...path) => {
    const seen = new Set<string>();
    for (const [index, name] of (names ?? []).entries()) {
      if (name === null) continue;
      if (seen.has(name)) found.push({ path: [...path, index], message: `${kind} ${name} is listed twice` });
      seen.add(name);
    }
  };
  const nameOf = ({ name }: { name: string }): string => name;
  const idOf = ({ id }: { id: string }): string => id;

  requireUnique('key', publisher.apiKeys?.map(nameOf), 'publisher', 'apiKeys');
  requireUnique('connector', publisher.connectors?.map(nameOf), 'publisher', 'connectors');
  requireUnique('group', groups.map(idOf), 'groups');
  for (const [index, { tiers, skuRevShares, schedules = [], members = [] }] of groups.entries()) {
    requireUnique('tier', tiers?.map(nameOf), 'groups', index, 'tiers');
    const skuIds = skuRevShares?.map(({ skuId }) => skuId);
    requireUnique('SKU', skuIds, 'groups', index, 'skuRevShares');
    const scheduleIds = schedules.map(({ id }) => id ?? null);
    requireUnique('schedule', scheduleIds, 'groups', index, 'schedules');
    for (const [scheduleIndex, { tiers = [] }] of schedules.entries()) {
      const tierNames = tiers.map(({ tier }) => tier);
      requireUnique('tier', tierNames, 'groups', index, 'schedules', scheduleIndex, 'tiers');
    }
    requireUnique('member', members.map(idOf), 'groups', index, 'members');
    for (const [memberIndex, { id, codes = [] }] of members.entries()) {
      const path = ['groups', index, 'members', memberIndex, 'codes'];
      const scope = (group: string | undefined): string => (group === undefined ? '' : ` of group ${group}`);
      requireUnique(
        'code',
        codes.map(({ code, group }) => foldCode(code) + scope(group)),
        ...path,
      );
      const primaries = codes.map(({ primary, group }) => (primary === true ? id + scope(group) : null));
      requireUnique('primary code of', primaries, ...path);
    }
  }
  return found;
}
