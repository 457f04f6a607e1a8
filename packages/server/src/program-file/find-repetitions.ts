import { foldCode } from '../members/read/resolve-codes.ts';
import type { InputPath } from '../platform/refusal.ts';
import type { Program } from './program-schema.ts';

/** What is wrong in a program, and where. */
export interface FileProblem {
  path: InputPath;
  message: string;
}

type Once = (
  what: string,
  names: readonly (string | null)[] | undefined,
  ...path: (string | number)[]
) => void;

/** @returns what stands in a file twice: one of the two would win, and nobody would see which */
export function findRepetitions({ publisher, groups = [] }: Program): FileProblem[] {
  const found: FileProblem[] = [];
  const once: Once = (what, names, ...path) => {
    const seen = new Set<string>();
    for (const [index, name] of (names ?? []).entries()) {
      if (name === null) continue;
      if (seen.has(name)) found.push({ path: [...path, index], message: `${what} ${name} is listed twice` });
      seen.add(name);
    }
  };
  const named = ({ name }: { name: string }): string => name;
  const identified = ({ id }: { id: string }): string => id;

  once('the key', publisher.apiKeys?.map(named), 'publisher', 'apiKeys');
  once('the group', groups.map(identified), 'groups');
  for (const [index, { tiers, skuRevShares, schedules = [], members = [] }] of groups.entries()) {
    once('the tier', tiers?.map(named), 'groups', index, 'tiers');
    const skuIds = skuRevShares?.map(({ skuId }) => skuId);
    once('the SKU', skuIds, 'groups', index, 'skuRevShares');
    const scheduleIds = schedules.map(({ id }) => id ?? null);
    once('the schedule', scheduleIds, 'groups', index, 'schedules');
    for (const [scheduleIndex, { tiers = [] }] of schedules.entries()) {
      const tierNames = tiers.map(({ tier }) => tier);
      once('the tier', tierNames, 'groups', index, 'schedules', scheduleIndex, 'tiers');
    }
    once('the member', members.map(identified), 'groups', index, 'members');
    for (const [memberIndex, { id, codes = [] }] of members.entries()) {
      const path = ['groups', index, 'members', memberIndex, 'codes'];
      const scope = (group: string | undefined): string => (group === undefined ? '' : ` of group ${group}`);
      once(
        'the code',
        codes.map(({ code, group }) => foldCode(code) + scope(group)),
        ...path,
      );
      const primaries = codes.map(({ primary, group }) => (primary === true ? id + scope(group) : null));
      once('the primary code of', primaries, ...path);
    }
  }
  return found;
}
