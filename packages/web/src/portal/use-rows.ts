import { useInfiniteQuery } from '@tanstack/react-query';

interface RowsPage<Row> {
  rows: readonly Row[];
  nextCursor: string | null;
}

/**
 * Reads a list page by page.
 * @param key everything that determines the list
 * @param read reads the page after a cursor; undefined for the first page
 */
export function useRows<Row>(
  key: readonly unknown[],
  read: (cursor: string | undefined, signal: AbortSignal) => Promise<RowsPage<Row>>,
) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
  return {
    /** Undefined until the first page is read. */
    rows: data?.pages.flatMap(({ rows }) => rows),
    error,
    retry: () => void refetch(),
    more: { isThere: hasNextPage, isBusy: isFetchingNextPage, load: () => void fetchNextPage() },
  };
}
