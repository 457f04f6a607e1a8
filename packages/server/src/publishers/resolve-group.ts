import { Refusal } from '../platform/refusal.ts';
import type { CreatorGroup, Program, Programs } from './programs.ts';

/**
 * Resolves a request's group, for all operations with `groupId`: the key's own group, otherwise the requested group,
 * otherwise the publisher's default group.
 * @param keyGroupId group the key is scoped to; if set, `requestedId` is ignored, even if it is invalid
 * @throws Refusal InvalidGroup
 */
export async function resolveGroup(
  programs: Programs,
  publisherId: string,
  keyGroupId: string | null,
  requestedId: string | undefined,
): Promise<CreatorGroup> {
  const found = peekGroup(programs, publisherId, keyGroupId, requestedId);
  if (found !== null) return found;
  // Reload before rejecting, because the group may be newer than the cached program.
  const program = await programs.reload(publisherId);
  const group = program && groupOf(program, keyGroupId, requestedId);
  if (group) return group;
  const message =
    keyGroupId === null && requestedId !== undefined
      ? 'No creator group was found for the groupId.'
      : 'The publisher has no default creator group. Create one, or send a groupId.';
  throw new Refusal('InvalidGroup', message);
}

/** Returns a request's group without querying the database; null if it isn't known without a query. */
export function peekGroup(
  programs: Programs,
  publisherId: string,
  keyGroupId: string | null,
  requestedId: string | undefined,
): CreatorGroup | null {
  const cached = programs.peek(publisherId);
  return cached === undefined ? null : groupOf(cached, keyGroupId, requestedId);
}

const groupOf = (
  program: Program,
  keyGroupId: string | null,
  requestedId: string | undefined,
): CreatorGroup | null => {
  const groupId = keyGroupId ?? requestedId;
  return groupId === undefined ? program.defaultGroup : (program.groups.get(groupId) ?? null);
};
