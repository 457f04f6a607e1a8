import { Anchor } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { MouseEvent, ReactNode } from 'react';
import { stringifyQuery } from '../ui/query-string.ts';
import { usePublisher } from './session/session.ts';

interface ScreenLinkProps {
  /** Path of the screen, as in screens.ts. */
  screen: string;
  query?: ScreenQuery;
  /** Underlines the link, because color alone doesn't distinguish a link within a sentence. */
  isInText?: boolean;
  /** Uses the color of the surrounding text, for links on a colored background. */
  isPlain?: boolean;
  /** Called before the link opens here, such as to close a dialog. */
  onFollow?: () => void;
  /** Absent inside `<Trans>`, which adds the text itself. */
  children?: ReactNode;
}

type ScreenQuery = Readonly<Record<string, string | undefined>>;

/** Returns a function that opens a screen of the publisher. */
export function useGoToScreen(): (screen: string, query?: ScreenQuery) => void {
  const { publisherId } = usePublisher();
  const navigate = useNavigate();
  return (screen, query = {}) => void navigate({ href: hrefOf(publisherId, screen, query) } as never);
}

const hrefOf = (publisherId: string, screen: string, query: ScreenQuery): string =>
  `/p/${encodeURIComponent(publisherId)}/${screen}${stringifyQuery(query)}`;

/** Returns the properties of a link to a screen. A modified click opens a new tab or window as usual. */
export function useScreenLink(screen: string, query: ScreenQuery = {}, onFollow?: () => void) {
  const { publisherId } = usePublisher();
  const navigate = useNavigate();
  const href = hrefOf(publisherId, screen, query);
  const onClick = (event: MouseEvent): void => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onFollow?.();
    void navigate({ href } as never);
  };
  return { href, onClick };
}

/** Link to a screen of the publisher. */
export function ScreenLink({
  screen,
  query,
  isInText = false,
  isPlain = false,
  onFollow,
  children,
}: ScreenLinkProps) {
  return (
    <Anchor
      {...useScreenLink(screen, query, onFollow)}
      inherit
      underline={isInText ? 'always' : 'hover'}
      {...(isPlain && { c: 'inherit' })}
    >
      {children}
    </Anchor>
  );
}
