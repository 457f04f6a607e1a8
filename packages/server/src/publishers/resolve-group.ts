import { Refusal } from '../platform/refusal.ts';
import type { CreatorGroup, Program, Programs } from './programs.ts';

/**
 * The group resolution rule, the same for every operation that takes `groupId`: the key's own group, else
 * the group asked for, else the publisher's default group.
 * @param keyGroupId the group the key is scoped to; then `asked` is ignored, valid or not
 * @throws Refusal InvalidGroup
 */
export async function resolveGroup(
  programs: Programs,
  publisherId: string,
  keyGroupId: string | null,
  asked: string | undefined,
): Promise<CreatorGroup> {
  const warm = programs.peek(publisherId);
  const found = warm && groupOf(warm, keyGroupId, asked);
  if (found) return found;
  // Before refusing, look again: the group may be newer than what is kept.
  const program = await programs.reload(publisherId);
  const group = program && groupOf(program, keyGroupId, asked);
  if (group) return group;
  const message =
    keyGroupId === null && asked !== undefined
      ? 'No creator group was found for the groupId.'
      : 'The publisher has no default creator group; create one, or send a groupId.';
  throw new Refusal('InvalidGroup', message);
}

const groupOf = (
  program: Program,
  keyGroupId: string | null,
  asked: string | undefined,
): CreatorGroup | null => {
  const groupId = keyGroupId ?? asked;
  return groupId === undefined ? program.defaultGroup : (program.groups.get(groupId) ?? null);
};
