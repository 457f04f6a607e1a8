import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { listShareTiersOptions } from '../../../client/@tanstack/react-query.gen.ts';
import { usePublisher } from '../../session/session.ts';

export const statuses = ['Approved', 'Pending', 'Removed'] as const;

export type Status = (typeof statuses)[number];

export const statusOf = (tab: string | undefined): Status =>
  statuses.find((status) => status.toLowerCase() === tab) ?? 'Approved';

/** Operations whose data becomes stale when a creator changes. */
const affectedOperations = new Set(['listCreators', 'countCreators', 'getCreator', 'checkCode', 'listCodes']);

export const refreshCreators = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({
    predicate: ({ queryKey: [first] }) =>
      affectedOperations.has((first as { _id?: string } | undefined)?._id ?? ''),
  });

export function useRefresh(): () => Promise<void> {
  const client = useQueryClient();
  return useCallback(() => refreshCreators(client), [client]);
}

/** Loads up to 250 of a group's tiers, for a selector. */
export function useTiers(groupId: string | undefined) {
  const { publisherId } = usePublisher();
  return useQuery({
    ...listShareTiersOptions({
      path: { publisherId },
      query: { limit: 250, ...(groupId !== undefined && { group: groupId }) },
    }),
    enabled: groupId !== undefined,
  });
}

/**
 * Returns a creator's key for the URL. The key includes the group, because a creator may be in several
 * groups.
 */
export const keyOf = ({ groupId, memberId }: { groupId: string; memberId: string }): string =>
  `${groupId}/${memberId}`;

/** Parses a creator's key: `group/creator`, or just `creator` for the URL's group. */
export function readKey(key: string): { groupId: string | undefined; memberId: string } {
  const at = key.indexOf('/');
  return at === -1
    ? { groupId: undefined, memberId: key }
    : { groupId: key.slice(0, at), memberId: key.slice(at + 1) };
}
