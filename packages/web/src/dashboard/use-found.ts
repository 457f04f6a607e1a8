import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { ApiFailure } from '../ui/api-failure.ts';
import type { IconName } from '../ui/icons.tsx';
import { stringifyQuery } from '../ui/query-string.ts';
import { fetchSignedIn } from './session/fetch-signed-in.ts';

export interface Found {
  key: string;
  kind: string;
  id: string;
  title: string;
  about: string;
  href: string;
  icon: IconName;
  /** Groups of a purchase, a code, or a creator. */
  groupIds: readonly string[];
}

/** Searches the publisher for a text, shortly after typing stops. Results of an earlier text are dropped. */
export function useFound(
  { publisherId, group }: { publisherId: string; group: string | undefined },
  text: string,
): { found: readonly Found[]; isBusy: boolean; hasFailed: boolean } {
  const [settledText] = useDebouncedValue(text, 120);
  const {
    data = [],
    isFetching,
    isError,
  } = useQuery({
    queryKey: ['search', publisherId, group, settledText],
    queryFn: async ({ signal }): Promise<Found[]> => {
      const path = `/admin/v1/publishers/${encodeURIComponent(publisherId)}/search${stringifyQuery({ q: settledText, group })}`;
      const answer = await fetchSignedIn(path, { signal });
      const body = await answer.json().catch(() => null);
      if (!answer.ok) throw new ApiFailure(answer, body);
      return (body.results ?? []) as Found[];
    },
    enabled: settledText !== '',
  });
  return {
    found: settledText === text ? data : [],
    isBusy: isFetching || settledText !== text,
    hasFailed: isError,
  };
}
