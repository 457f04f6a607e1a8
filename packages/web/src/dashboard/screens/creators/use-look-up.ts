import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { lookUpCreators } from '../../../client/sdk.gen.ts';
import type { CreatorLookUp } from '../../../client/types.gen.ts';
import { usePublisher } from '../../session/session.ts';

/** Limits of the service for one list. */
export const maxCharacters = 100_000;
export const maxEntries = 1_000;

const typingMs = 300;

/**
 * Looks up a pasted list with one request, shortly after typing stops. The previous result stays visible until the new
 * one arrives.
 * @returns `isCurrent`: true if the result is for the current text
 */
export function useLookUp(text: string, groupId: string | undefined) {
  const { publisherId } = usePublisher();
  const [settledText] = useDebouncedValue(text, typingMs);
  const isEmpty = settledText.trim() === '';
  const isTooLong = settledText.length > maxCharacters;
  const { data, error, isPlaceholderData, refetch } = useQuery<CreatorLookUp>({
    queryKey: [{ _id: 'lookUpCreators', publisherId, groupId, text: settledText }],
    queryFn: async ({ signal }) => {
      const { data } = await lookUpCreators({
        path: { publisherId },
        query: { ...(groupId !== undefined && { group: groupId }) },
        body: { text: settledText },
        signal,
        throwOnError: true,
      });
      return data;
    },
    enabled: !isEmpty && !isTooLong,
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  return {
    data: isEmpty || isTooLong ? undefined : data,
    error,
    refetch,
    isCurrent: settledText === text && data !== undefined && !isPlaceholderData && error === null,
    isTooLong: text.length > maxCharacters,
  };
}
