import { setPreference, usePreferences } from './preferences.ts';
import { useUrlState } from './url-state.ts';

/** Part of a table column that the columns menu needs. */
export interface ChosenColumn {
  id: string;
  isUnderName?: boolean | 'first' | 'whole' | 'below';
  isUnderAmount?: boolean;
}

/** Returns the id of the column with the rows' names, which is always shown. */
export const nameColumnOf = (columns: readonly ChosenColumn[]): string | undefined =>
  (columns.find((each) => !each.isUnderName && each.isUnderAmount !== true) ?? columns[0])?.id;

/**
 * Returns the hidden columns of a list, and a function that changes them. In a saved view, they are part of the view
 * and of the URL. Otherwise, they are stored in the person's browser.
 * @param list absent for a list whose columns can't be hidden
 */
export function useHiddenColumns(list: string | undefined) {
  const { query, setQuery } = useUrlState();
  const { hiddenColumns } = usePreferences();
  const own = list === undefined ? undefined : hiddenColumns[list];
  const hidden: readonly string[] =
    query.hide !== undefined
      ? query.hide.split(',')
      : query.view === undefined && Array.isArray(own)
        ? own
        : [];
  const hide = (ids: readonly string[]): void => {
    if (list === undefined) return;
    if (query.view === undefined) {
      setPreference('hiddenColumns', { ...hiddenColumns, [list]: ids });
      if (query.hide !== undefined) setQuery({ hide: null }, 'replace');
    } else setQuery({ hide: ids.join(',') || null }, 'replace');
  };
  return { hidden, hide };
}
