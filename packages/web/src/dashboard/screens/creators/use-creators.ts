import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { listShareTiersOptions } from '../../../client/@tanstack/react-query.gen.ts';
import { usePublisher } from '../../session/session.ts';

export const statuses = ['Approved', 'Pending', 'Removed'] as const;

export type Status = (typeof statuses)[number];

/** The status whose creators the screen lists. */
export const statusOf = (tab: string | undefined): Status =>
  statuses.find((status) => status.toLowerCase() === tab) ?? 'Approved';

/** What this screen asks for, and a change of a creator makes old. */
const asked = new Set(['listCreators', 'countCreators', 'getCreator', 'checkCode', 'listCodes']);

export const refreshCreators = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({
    predicate: ({ queryKey: [first] }) => asked.has((first as { _id?: string } | undefined)?._id ?? ''),
  });

export function useRefresh(): () => Promise<void> {
  const client = useQueryClient();
  return useCallback(() => refreshCreators(client), [client]);
}

/** The tiers of a group, as many as somebody can choose from. */
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

/** How a creator stands in the address: an id may be in several groups. */
export const keyOf = ({ groupId, memberId }: { groupId: string; memberId: string }): string =>
  `${groupId}/${memberId}`;

/** What an address names: `group/creator`, or a creator alone, whose group is then that of the address. */
export function readKey(key: string): { groupId: string | undefined; memberId: string } {
  const at = key.indexOf('/');
  return at === -1
    ? { groupId: undefined, memberId: key }
    : { groupId: key.slice(0, at), memberId: key.slice(at + 1) };
}
