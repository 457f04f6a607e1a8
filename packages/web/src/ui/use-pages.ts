import { useLocation, useNavigate } from '@tanstack/react-router';
import type { Query } from './query-string.ts';
import { useUrlState } from './url-state.ts';

export interface Pages {
  isFirst: boolean;
  /** Number of pages before this one; 0 if they are unknown, because a link opened this page. */
  pagesBefore: number;
  hasNext: boolean;
  /** @param open row that stays open until the page is there */
  goBack(open?: string): void;
  goOn(open?: string): void;
}

/** Returns the pages around the list's current one. */
export function usePages(nextCursor: string | null): Pages {
  const { query } = useUrlState();
  const navigate = useNavigate();
  // Cursors only point forward, so the trail of visited pages is used to go back.
  const trail = useLocation({ select: ({ state }) => (state as { trail?: string[] }).trail ?? [] });
  const go = (cursor: string | undefined, nextTrail: string[], open: string | undefined): void =>
    void navigate({
      to: '.',
      search: ((before: Query) => ({ ...before, cursor, open })) as never,
      state: ((before: object) => ({ ...before, trail: nextTrail })) as never,
      replace: open !== undefined,
      resetScroll: open === undefined,
    });
  return {
    isFirst: query.cursor === undefined,
    pagesBefore: trail.length,
    hasNext: nextCursor !== null,
    goBack: (open) => go(trail.at(-1) || undefined, trail.slice(0, -1), open),
    goOn: (open) => {
      if (nextCursor !== null) go(nextCursor, [...trail, query.cursor ?? ''], open);
    },
  };
}
