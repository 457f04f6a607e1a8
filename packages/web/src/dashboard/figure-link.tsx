import type { ReactNode } from 'react';
import { ScreenLink } from './screen-link.tsx';

interface FigureLinkProps {
  /** Path of the screen, as in screens.ts. */
  screen: string;
  /** Filters that list exactly the figure's rows; null if the list has no such filters. */
  query: Readonly<Record<string, string | undefined>> | null;
  children: ReactNode;
}

/**
 * Figure that links to its rows. If it has no rows, or no filter lists exactly those rows, the figure is plain text,
 * because a list with other rows would contradict it (docs/adr/0071-lists.md).
 */
export const FigureLink = ({ screen, query, children }: FigureLinkProps): ReactNode =>
  query === null ? (
    children
  ) : (
    <ScreenLink screen={screen} query={query}>
      {children}
    </ScreenLink>
  );
