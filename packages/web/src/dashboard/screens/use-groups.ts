import { useQuery } from '@tanstack/react-query';
import { useUrlState } from '../../ui/url-state.ts';
import { usePublisher } from '../session/session.ts';
import { groupsOptions } from '../shell/groups.ts';

/** Loads the groups and returns the group to show: the group in the URL, or else the default group. */
export function useGroups() {
  const { publisherId } = usePublisher();
  const { query } = useUrlState();
  const groups = useQuery(groupsOptions(publisherId));
  const rows = groups.data ?? [];
  const group =
    rows.find(({ groupId }) => groupId === query.group) ?? rows.find(({ isDefault }) => isDefault);
  return { groups, rows, group };
}
