import { useQuery } from '@tanstack/react-query';
import { listCreatorGroupsOptions } from '../../client/@tanstack/react-query.gen.ts';
import { useUrlState } from '../../ui/url-state.ts';
import { usePublisher } from '../session/session.ts';

/** Loads the groups and returns the group to show: the group in the URL, or else the default group. */
export function useGroups() {
  const { publisherId } = usePublisher();
  const { query } = useUrlState();
  const groups = useQuery(listCreatorGroupsOptions({ path: { publisherId } }));
  const rows = groups.data?.rows ?? [];
  const group =
    rows.find(({ groupId }) => groupId === query.group) ?? rows.find(({ isDefault }) => isDefault);
  return { groups, rows, group };
}
