import { useEffect } from 'react';
import { useUrlState } from './url-state.ts';

/**
 * Runs an action requested by a link, such as `do=add`, which opens a form. The parameter is then removed so that a reload
 * or Back doesn't repeat the action.
 */
export function useLinkedAction(name: string, act: () => void): void {
  const { query, setQuery } = useUrlState();
  const isRequested = query.do === name;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per request
  useEffect(() => {
    if (!isRequested) return;
    setQuery({ do: null }, 'replace');
    act();
  }, [isRequested]);
}
