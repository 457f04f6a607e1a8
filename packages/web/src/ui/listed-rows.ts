import { useEffect, useSyncExternalStore } from 'react';

/** Rows of a table that the drawer of an open row can move through. */
export interface ListedRows {
  keys: readonly string[];
  /** Number of rows on newer pages. */
  rowsBefore: number;
  hasPrevious: boolean;
  hasNext: boolean;
  /** Opens the next or previous row, on another page if necessary. */
  step(by: 1 | -1): void;
}

let tables: readonly ListedRows[] = [];
const listeners = new Set<() => void>();

function set(next: readonly ListedRows[]): void {
  tables = next;
  for (const listener of listeners) listener();
}

/** Offers a table's rows to the drawer of the open row. */
export function useListRows(rows: ListedRows): void {
  useEffect(() => {
    set([...tables, rows]);
    return () => set(tables.filter((each) => each !== rows));
  }, [rows]);
}

/** @returns the rows of the table that contains the open row; undefined if no table does */
export const useListedRows = (key: string): ListedRows | undefined =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => tables.find(({ keys }) => keys.includes(key)),
  );
