import { useEffect } from 'react';
import { useUrlState } from './url-state.ts';

/**
 * Does once what a link asks for: `do=add` in the address opens a form. It is taken out of the address, so that a reload
 * or Back does not do it again.
 */
export function useAsked(name: string, act: () => void): void {
  const { query, setQuery } = useUrlState();
  const isAsked = query.do === name;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each time it is asked for
  useEffect(() => {
    if (!isAsked) return;
    setQuery({ do: null }, 'replace');
    act();
  }, [isAsked]);
}
