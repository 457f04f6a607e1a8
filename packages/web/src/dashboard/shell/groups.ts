import { queryOptions } from '@tanstack/react-query';
import { client } from '../../client/client.gen.ts';
import type { ListCreatorGroupsResponses } from '../../client/types.gen.ts';

/**
 * The creator groups of a publisher, for choosing one. Asked by the client itself: the functions made for each operation
 * are one module, which the first page would bring along as a whole.
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
