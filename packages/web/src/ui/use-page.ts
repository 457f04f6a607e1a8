import {
  keepPreviousData,
  type QueryKey,
  type UseQueryOptions,
  type UseQueryResult,
  useQuery,
} from '@tanstack/react-query';

/** A page of a list, as the API gives it. */
export interface PageOf<Row> {
  rows: readonly Row[];
  nextCursor: string | null;
}

/** Asks for a page of a list; the one before stays in sight until it has come, and when it does not come. */
export const usePage = <Data, Failure, Key extends QueryKey>(
  options: UseQueryOptions<Data, Failure, Data, Key>,
): UseQueryResult<Data, Failure> => useQuery({ ...options, placeholderData: keepPreviousData as never });
