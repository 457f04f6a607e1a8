import { useQuery } from '@tanstack/react-query';
import { usePublisher } from './session/session.ts';
import { groupsOptions } from './shell/groups.ts';

/** Returns a lookup of group names, which falls back to the id until the names are loaded. */
export function useGroupNames(): (groupId: string) => string {
  const { publisherId } = usePublisher();
  const { data: groups } = useQuery(groupsOptions(publisherId));
  return (groupId) => groups?.find((group) => group.groupId === groupId)?.name ?? groupId;
}

export function GroupName({ groupId }: { groupId: string }) {
  return useGroupNames()(groupId);
}
