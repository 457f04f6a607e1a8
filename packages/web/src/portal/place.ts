import { useSyncExternalStore } from 'react';
import { parseQuery, type Query, stringifyQuery } from '../ui/query-string.ts';

/** Path of the portal on every host (server: platform/setting-parsers.ts). */
const base = '/creators';

/** Page that is shown, as a path in the portal: `/` for Home, `/payouts/12`. */
export interface Place {
  path: string;
  query: Query;
}

const listeners = new Set<() => void>();
let current = read();
let isFirst = true;

function read(): Place {
  const { pathname, search } = window.location;
  const path = pathname.slice(base.length).replace(/\/+$/, '');
  return { path: path === '' ? '/' : path, query: parseQuery(search) };
}

function update(): void {
  current = read();
  isFirst = false;
  for (const listener of listeners) listener();
}

window.addEventListener('popstate', update);
// A link of an email that is pasted into an open page changes only the part after the #, which loads nothing.
window.addEventListener('hashchange', () => window.location.reload());

export const currentPlace = (): Place => current;

/** Returns whether the person has not gone anywhere yet. A page takes the focus only after that. */
export const isFirstPlace = (): boolean => isFirst;

export const usePlace = (): Place =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );

/** Returns the URL of a path in the portal, which may have a query. */
export const hrefOf = (path: string): string => base + (path === '/' ? '' : path);

/** Shows another page. @param path path in the portal, without a query */
export function goTo(
  path: string,
  { query = {}, replaces = false }: { query?: Query; replaces?: boolean } = {},
): void {
  const url = hrefOf(path) + stringifyQuery(query);
  if (replaces) window.history.replaceState(null, '', url);
  else window.history.pushState(null, '', url);
  update();
  window.scrollTo(0, 0);
}
