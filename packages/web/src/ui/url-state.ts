import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { Query } from './query-string.ts';

export interface UrlState {
  /** What the address says: filters, sort, cursor, open row. */
  query: Query;
  /**
   * Says some of it anew; null takes a name out. What decides which rows a list has takes the cursor out as well.
   * @param how `replace` for what Back should pass over, as while somebody types
   */
  setQuery(changes: Readonly<Record<string, string | null>>, how?: 'push' | 'replace'): void;
}

/** What leaves the rows of a list as they are. */
const keepsRows = new Set(['cursor', 'open', 'tab', 'explain']);

/** The state of a screen, which lives in its address, so that Back, a reload and a sent link show the same. */
export function useUrlState(): UrlState {
  const query = useSearch({ strict: false }) as Query;
  const navigate = useNavigate();
  const setQuery = useCallback<UrlState['setQuery']>(
    (changes, how = 'push') => {
      const movesRows = Object.keys(changes).some((name) => !keepsRows.has(name));
      void navigate({
        to: '.',
        search: ((before: Query) => ({
          ...before,
          ...(movesRows && { cursor: undefined }),
          ...Object.fromEntries(Object.entries(changes).map(([name, value]) => [name, value ?? undefined])),
        })) as never,
        replace: how === 'replace',
        resetScroll: false,
      });
    },
    [navigate],
  );
  return { query, setQuery };
}
