import { type RefObject, useEffect, useMemo, useRef } from 'react';
import { useKeys } from './keys.ts';
import { useListRows } from './listed-rows.ts';
import { limitOf } from './pager.tsx';
import { useUrlState } from './url-state.ts';
import { usePages } from './use-pages.ts';

interface RowKeys {
  keys: readonly string[];
  nextCursor: string | null;
  /** True while the rows are those of the page before. */
  isBusy: boolean;
  body: RefObject<HTMLElement | null>;
  mayOpen: boolean;
}

/**
 * Registers J and K, which focus the next and previous row. If a row is open, J and K open the next or
 * previous row instead, as the buttons of its drawer do. After the last row of a page comes the first of the next page.
 */
export function useRowKeys({ keys, nextCursor, isBusy, body, mayOpen }: RowKeys): void {
  const { query, setQuery } = useUrlState();
  const { isFirst, pagesBefore, hasNext, goBack, goOn } = usePages(nextCursor);
  /** Row to open on the page that is loading, which was left from the page at `cursor`. */
  const landing = useRef<{ at: 0 | -1; cursor: string | undefined } | null>(null);
  const hasPrevious = !isFirst && pagesBefore > 0;
  // Back closes the drawer instead of walking through the rows again.
  const open = (key: string | undefined): void => {
    if (key !== undefined) setQuery({ open: key }, 'replace');
  };
  const move = useRef<(by: 1 | -1) => void>(undefined);
  move.current = (by) => {
    const at = keys.indexOf(query.open ?? '') + by;
    if (isBusy) return;
    if (keys[at] !== undefined) return open(keys[at]);
    if (by === 1 ? !hasNext : !hasPrevious) return;
    landing.current = { at: by === 1 ? 0 : -1, cursor: query.cursor };
    (by === 1 ? goOn : goBack)(query.open);
  };
  useEffect(() => {
    const to = landing.current;
    if (to === null || isBusy || query.cursor === to.cursor) return;
    landing.current = null;
    if (query.open !== undefined) open(keys.at(to.at));
  });
  const focus = (by: 1 | -1): void => {
    const all = [...(body.current?.querySelectorAll<HTMLElement>('[data-row-opener]') ?? [])];
    const at = all.indexOf(document.activeElement as HTMLElement);
    all[
      at === -1 ? (by === 1 ? 0 : all.length - 1) : Math.min(Math.max(at + by, 0), all.length - 1)
    ]?.focus();
  };
  const step = (by: 1 | -1): void => (query.open === undefined ? focus(by) : move.current?.(by));
  useKeys(mayOpen ? { j: () => step(1), k: () => step(-1) } : {});
  const rowsBefore = pagesBefore * limitOf(query);
  useListRows(
    useMemo(
      () => ({
        keys: mayOpen ? keys : [],
        rowsBefore,
        hasPrevious,
        hasNext,
        step: (by: 1 | -1) => move.current?.(by),
      }),
      [mayOpen, keys, rowsBefore, hasPrevious, hasNext],
    ),
  );
}
