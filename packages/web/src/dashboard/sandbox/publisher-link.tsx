import { Anchor, Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

interface PublisherLinkProps {
  publisherId: string;
  screen: string;
  /** Shows the link as the main button of its part. */
  isButton?: boolean;
  children: ReactNode;
}

/**
 * Link to a screen of another publisher: from a live publisher to its sandbox, or from a sandbox to its live publisher.
 */
export function PublisherLink({ publisherId, screen, isButton = false, children }: PublisherLinkProps) {
  const renderRoot = (props: object) => (
    <Link {...props} to={`/p/$publisherId/${screen}` as never} params={{ publisherId } as never} />
  );
  if (isButton) return <Button renderRoot={renderRoot}>{children}</Button>;
  return (
    <Anchor inherit underline="always" renderRoot={renderRoot}>
      {children}
    </Anchor>
  );
}
