import { queryOptions } from '@tanstack/react-query';
import { client } from '../../client/client.gen.ts';
import type { ListCreatorGroupsResponses } from '../../client/types.gen.ts';

/**
 * Query for a publisher's creator groups, which all screens share, and the page requests with its first script. Calls the
 * client directly, because all generated functions are in one module, which the first page would have to load as a whole.
 */
export const groupsOptions = (publisherId: string) =>
  queryOptions({
    queryKey: [{ _id: 'listCreatorGroups', publisherId }],
    queryFn: async ({ signal }) => {
      const { data } = await client.get<ListCreatorGroupsResponses, unknown, true>({
        url: '/admin/v1/publishers/{publisherId}/groups',
        path: { publisherId },
        signal,
        throwOnError: true,
      });
      return data.rows;
    },
    staleTime: 60_000,
  });
