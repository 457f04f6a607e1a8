import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { Query } from './query-string.ts';

export interface UrlState {
  /** Parameters of the URL: filters, sort, cursor, open row. */
  query: Query;
  /**
   * Changes parameters; null removes a parameter. A change that affects which rows a list shows also removes the cursor.
   * @param how `replace` for changes that Back should skip, such as typing
   */
  setQuery(changes: Readonly<Record<string, string | null>>, how?: 'push' | 'replace'): void;
}

/** Parameters that don't affect which rows a list shows. */
const rowNeutralNames = new Set(['cursor', 'open', 'tab', 'explain', 'hide', 'view', 'send']);

/** Returns the screen's state, which lives in the URL so that Back, a reload and a shared link restore it. */
export function useUrlState(): UrlState {
  const query = useSearch({ strict: false }) as Query;
  const navigate = useNavigate();
  const setQuery = useCallback<UrlState['setQuery']>(
    (changes, how = 'push') => {
      const changesRows = Object.keys(changes).some((name) => !rowNeutralNames.has(name));
      void navigate({
        to: '.',
        search: ((before: Query) => ({
          ...before,
          ...(changesRows && { cursor: undefined }),
          ...Object.fromEntries(Object.entries(changes).map(([name, value]) => [name, value ?? undefined])),
        })) as never,
        // The trail of visited pages belongs to these rows.
        state: changesRows ? (((before: object) => ({ ...before, trail: undefined })) as never) : true,
        replace: how === 'replace',
        resetScroll: false,
      });
    },
    [navigate],
  );
  return { query, setQuery };
}
