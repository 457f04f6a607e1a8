import {
  keepPreviousData,
  type QueryKey,
  type UseQueryOptions,
  type UseQueryResult,
  useQuery,
} from '@tanstack/react-query';

export interface PageOf<Row> {
  rows: readonly Row[];
  nextCursor: string | null;
}

/**
 * Loads a page of a list. The previous page stays visible until the new page arrives, and remains visible if
 * loading fails.
 */
export const usePage = <Data, Failure, Key extends QueryKey>(
  options: UseQueryOptions<Data, Failure, Data, Key>,
): UseQueryResult<Data, Failure> => useQuery({ ...options, placeholderData: keepPreviousData as never });
