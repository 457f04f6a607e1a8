import { Anchor } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { MouseEvent, ReactNode } from 'react';
import { stringifyQuery } from '../ui/query-string.ts';
import { usePublisher } from './session/session.ts';

interface ScreenLinkProps {
  /** Its path, as screens.ts has it. */
  screen: string;
  query?: Readonly<Record<string, string | undefined>>;
  /** In the midst of a text, where its color alone would not tell it from the rest. */
  isInText?: boolean;
  children: ReactNode;
}

/** A link to a screen of the publisher, which opens elsewhere when somebody wants that. */
export function ScreenLink({ screen, query = {}, isInText = false, children }: ScreenLinkProps) {
  const { publisherId } = usePublisher();
  const navigate = useNavigate();
  const href = `/p/${encodeURIComponent(publisherId)}/${screen}${stringifyQuery(query)}`;
  const go = (event: MouseEvent): void => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void navigate({ href } as never);
  };
  return (
    <Anchor href={href} onClick={go} inherit underline={isInText ? 'always' : 'hover'}>
      {children}
    </Anchor>
  );
}
