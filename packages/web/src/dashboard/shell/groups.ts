import { queryOptions } from '@tanstack/react-query';
import { client } from '../../client/client.gen.ts';
import type { ListCreatorGroupsResponses } from '../../client/types.gen.ts';

/**
 * Creator groups of a publisher, for choosing one. Calls the client directly: the generated functions are one module, which
 * would be loaded with the first page as a whole.
 */
export const groupsOptions = (publisherId: string) =>
  queryOptions({
    queryKey: ['groups', publisherId],
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
