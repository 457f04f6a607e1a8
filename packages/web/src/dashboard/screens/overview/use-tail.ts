import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { getTail } from '../../../client/sdk.gen.ts';
import type { TailRow } from '../../../client/types.gen.ts';

const pollMs = 2_000;
const maxKept = 30;

interface Tail {
  of: string;
  rows: TailRow[];
}

/** The last purchases, the newest first, asked for every two seconds while the page is seen and it is not paused. */
export function useTail(
  publisherId: string,
  group: string | undefined,
  isPaused: boolean,
): UseQueryResult<readonly TailRow[], Error> {
  const of = JSON.stringify([publisherId, group]);
  const kept = useRef<Tail>({ of, rows: [] });
  return useQuery({
    queryKey: ['tail', publisherId, group],
    queryFn: async ({ signal }) => {
      if (kept.current.of !== of) kept.current = { of, rows: [] };
      const after = kept.current.rows[0]?.row.attributionId;
      const { data } = await getTail({
        path: { publisherId },
        query: { group, ...(after !== undefined && { after }) },
        signal,
        throwOnError: true,
      });
      kept.current.rows = merged(kept.current.rows, data.rows);
      return kept.current.rows as readonly TailRow[];
    },
    refetchInterval: isPaused ? false : pollMs,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

/** Looks overlap: of a row that comes again, what is known later counts. Ids are in the order of recording. */
export function merged(known: readonly TailRow[], found: readonly TailRow[]): TailRow[] {
  const rows = new Map([...known, ...found].map((each) => [each.row.attributionId, each]));
  return [...rows.entries()]
    .sort(([one], [other]) => (one < other ? 1 : -1))
    .slice(0, maxKept)
    .map(([, each]) => each);
}
