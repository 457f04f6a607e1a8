import { useQuery } from '@tanstack/react-query';
import { listCreatorGroupsOptions } from '../../client/@tanstack/react-query.gen.ts';
import { useUrlState } from '../../ui/url-state.ts';
import { usePublisher } from '../session/session.ts';

/** The groups, and the one that a screen is about: that of the address, or else the default one. */
export function useGroups() {
  const { publisherId } = usePublisher();
  const { query } = useUrlState();
  const groups = useQuery(listCreatorGroupsOptions({ path: { publisherId } }));
  const rows = groups.data?.rows ?? [];
  const group =
    rows.find(({ groupId }) => groupId === query.group) ?? rows.find(({ isDefault }) => isDefault);
  return { groups, rows, group };
}
