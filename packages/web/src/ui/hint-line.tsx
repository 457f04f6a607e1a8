import { UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './hint.module.css';
import { Hint, HintPopover } from './hint.tsx';
import { Icon } from './icons.tsx';
import { useNarrow } from './use-narrow.ts';

interface HintLineProps {
  /** Sentence that the hint explains. */
  text: string;
  /** Name of what the hint explains. */
  about: string;
  children: ReactNode;
}

/**
 * Sentence with details that open. On a phone, all of it opens them, because a separate button would need 40 pixels of
 * its own, and could be alone on a line.
 */
export function HintLine({ text, about, children }: HintLineProps) {
  const isNarrow = useNarrow();
  if (!isNarrow)
    return (
      <>
        {text} <Hint about={about}>{children}</Hint>
      </>
    );
  const lastWordAt = text.lastIndexOf(' ') + 1;
  return (
    <HintPopover about={about} details={children}>
      <UnstyledButton className={classes.line}>
        {text.slice(0, lastWordAt)}
        <span className={classes.end}>
          {text.slice(lastWordAt)} <Icon name="help" size={14} />
        </span>
      </UnstyledButton>
    </HintPopover>
  );
}
