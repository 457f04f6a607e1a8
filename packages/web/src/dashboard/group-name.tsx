import { useQuery } from '@tanstack/react-query';
import { usePublisher } from './session/session.ts';
import { groupsOptions } from './shell/groups.ts';

/** Returns a function that looks up group names. Until the names are loaded, that function returns the id. */
export function useGroupNames(): (groupId: string) => string {
  const { publisherId } = usePublisher();
  const { data: groups } = useQuery(groupsOptions(publisherId));
  return (groupId) => groups?.find((group) => group.groupId === groupId)?.name ?? groupId;
}

export function GroupName({ groupId }: { groupId: string }) {
  return useGroupNames()(groupId);
}
