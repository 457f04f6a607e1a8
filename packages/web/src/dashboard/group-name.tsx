import { useQuery } from '@tanstack/react-query';
import { usePublisher } from './session/session.ts';
import { groupsOptions } from './shell/groups.ts';

/** A creator group as people call it; its id as long as the name is not known. */
export function GroupName({ groupId }: { groupId: string }) {
  const { publisherId } = usePublisher();
  const { data: groups } = useQuery(groupsOptions(publisherId));
  return groups?.find((group) => group.groupId === groupId)?.name ?? groupId;
}
