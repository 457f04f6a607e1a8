import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { listViewsOptions } from '../../client/@tanstack/react-query.gen.ts';
import type { ListViewsData, SavedView } from '../../client/types.gen.ts';
import { useHiddenColumns } from '../../ui/column-choice.ts';
import type { Query } from '../../ui/query-string.ts';
import { useUrlState } from '../../ui/url-state.ts';
import { usePublisher } from '../session/session.ts';

/** Dialog that the views menu opens. */
export type ViewDialog = 'save' | 'update' | 'edit' | 'remove';

export type ViewList = ListViewsData['query']['list'];

/**
 * Parameters that don't determine which rows a list shows. The header's group carries over from the previous screen.
 */
const neutralNames = new Set(['group', 'limit', 'asOf']);

/** Current list, remembered so that another tab of the same screen doesn't open the default view again. */
let opened: string | null = null;

/**
 * Loads a list's views and the state of the chosen one. When the list is opened without filters, shows the view that the
 * URL names, or else the person's default view.
 * @param place parameters that lead to the list, such as its tab
 */
export function useViews(list: ViewList, place: Query) {
  const { publisherId } = usePublisher();
  const { query, setQuery } = useUrlState();
  const { hidden } = useHiddenColumns(list);
  const { data, error } = useQuery({
    ...listViewsOptions({ path: { publisherId }, query: { list } }),
    staleTime: 60_000,
  });
  const names = data?.names ?? [];
  const chosen = data?.views.find(({ viewId }) => viewId === query.view) ?? null;

  /** Shows a view; null for all rows. A view without a group applies to the group in the header. */
  const show = (view: SavedView | null, how: 'push' | 'replace' = 'push'): void => {
    const cleared = names.filter((name) => name !== 'group' && !(name in place)).map((name) => [name, null]);
    setQuery(
      {
        ...Object.fromEntries(cleared),
        ...view?.query,
        view: view?.viewId ?? null,
        cursor: null,
        open: null,
      },
      how,
    );
  };

  /** Current filters, sort order and hidden columns. */
  const shown: Query = Object.fromEntries(
    names.flatMap((name) => {
      const value = name === 'hide' ? hidden.join(',') : query[name];
      return value ? [[name, value]] : [];
    }),
  );
  const isChanged =
    chosen !== null &&
    names.some((name) =>
      name === 'group' && chosen.query.group === undefined ? false : shown[name] !== chosen.query[name],
    );

  const isPlain = Object.keys(query).every(
    (name) => neutralNames.has(name) || name in place || name === 'view',
  );
  const here = `${publisherId} ${list}`;
  const isOpening = useRef(opened !== here);
  useEffect(() => {
    opened = here;
    const { pathname } = window.location;
    return () => {
      if (window.location.pathname !== pathname) opened = null;
    };
  }, [here]);
  useEffect(() => {
    if (data === undefined || !isOpening.current) return;
    isOpening.current = false;
    const wanted = query.view ?? data.defaultViewId;
    const view = data.views.find(({ viewId }) => viewId === wanted);
    if (isPlain && view !== undefined) show(view, 'replace');
  });
  return { data, error, chosen, shown, isChanged, show };
}

export type Views = ReturnType<typeof useViews>;
