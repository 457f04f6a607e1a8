import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { getTail } from '../../../client/sdk.gen.ts';
import type { TailRow } from '../../../client/types.gen.ts';

const pollMs = 2_000;
const maxRows = 30;

interface Tail {
  of: string;
  rows: TailRow[];
}

/** Polls the latest purchases, newest first, every two seconds while the page is visible and not paused. */
export function useTail(
  publisherId: string,
  group: string | undefined,
  isPaused: boolean,
): UseQueryResult<readonly TailRow[], Error> {
  const of = JSON.stringify([publisherId, group]);
  const tail = useRef<Tail>({ of, rows: [] });
  return useQuery({
    queryKey: ['tail', publisherId, group],
    queryFn: async ({ signal }) => {
      if (tail.current.of !== of) tail.current = { of, rows: [] };
      const after = tail.current.rows[0]?.row.attributionId;
      const { data } = await getTail({
        path: { publisherId },
        query: { group, ...(after !== undefined && { after }) },
        signal,
        throwOnError: true,
      });
      tail.current.rows = merged(tail.current.rows, data.rows);
      return tail.current.rows as readonly TailRow[];
    },
    refetchInterval: isPaused ? false : pollMs,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

/** Merges overlapping polls, keeping the newer version of each row. Ids increase in the order of recording. */
export function merged(known: readonly TailRow[], found: readonly TailRow[]): TailRow[] {
  const rows = new Map([...known, ...found].map((each) => [each.row.attributionId, each]));
  return [...rows.entries()]
    .sort(([one], [other]) => (one < other ? 1 : -1))
    .slice(0, maxRows)
    .map(([, each]) => each);
}
