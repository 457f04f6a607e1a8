import {
  keepPreviousData,
  type QueryKey,
  type UseQueryOptions,
  type UseQueryResult,
  useQuery,
} from '@tanstack/react-query';

/** Page of a list, as the API returns it. */
export interface PageOf<Row> {
  rows: readonly Row[];
  nextCursor: string | null;
}

/** Loads a page of a list. The previous page stays visible until the new one arrives, and if it fails. */
export const usePage = <Data, Failure, Key extends QueryKey>(
  options: UseQueryOptions<Data, Failure, Data, Key>,
): UseQueryResult<Data, Failure> => useQuery({ ...options, placeholderData: keepPreviousData as never });
