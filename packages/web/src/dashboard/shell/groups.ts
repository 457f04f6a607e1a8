import { queryOptions } from '@tanstack/react-query';
import { ApiFailure } from '../../ui/api-failure.ts';
import { fetchSignedIn } from '../session/fetch-signed-in.ts';

interface GroupName {
  groupId: string;
  name: string;
}

/** The creator groups of a publisher, for choosing one. */
export const groupsOptions = (publisherId: string) =>
  queryOptions({
    queryKey: ['groups', publisherId],
    queryFn: async ({ signal }): Promise<readonly GroupName[]> => {
      const answer = await fetchSignedIn(`/admin/v1/publishers/${encodeURIComponent(publisherId)}/groups`, {
        signal,
      });
      const body = await answer.json().catch(() => null);
      if (!answer.ok) throw new ApiFailure(answer, body);
      return body.groups ?? body.rows ?? [];
    },
    staleTime: 60_000,
  });
