import { useCallback, useState } from 'react';

/**
 * Holds the selection of a list.
 * @param shown rows on the current page; an empty list doesn't report its selection, so other rows are left out
 */
export function useChosen<Row>(
  shown: readonly Row[],
  keyOf: (row: Row) => string,
): { chosen: Row[]; ids: string[]; onSelect: (rows: readonly Row[]) => void } {
  const [selected, setSelected] = useState<readonly Row[]>([]);
  const onSelect = useCallback((rows: readonly Row[]) => setSelected(rows), []);
  const keys = new Set(selected.map(keyOf));
  const chosen = shown.filter((row) => keys.has(keyOf(row)));
  return { chosen, ids: chosen.map(keyOf), onSelect };
}
