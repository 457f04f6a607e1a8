import { Button } from '@mantine/core';
import { useScreenLink } from './screen-link.tsx';

interface LinkButtonProps {
  /** Path of the screen, as in screens.ts. */
  screen: string;
  query?: Readonly<Record<string, string>>;
  /** True if another button is the next step. */
  isQuiet?: boolean;
  children: string;
}

/** Button that opens a screen of the publisher. */
export function LinkButton({ screen, query, isQuiet = false, children }: LinkButtonProps) {
  return (
    <Button component="a" {...useScreenLink(screen, query)} {...(isQuiet && { variant: 'default' })}>
      {children}
    </Button>
  );
}
