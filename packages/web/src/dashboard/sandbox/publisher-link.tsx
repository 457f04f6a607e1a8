import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

interface PublisherLinkProps {
  publisherId: string;
  screen: string;
  children: ReactNode;
}

/**
 * Link to a screen of another publisher: from a live publisher to its sandbox, or from a sandbox to its live publisher.
 */
export const PublisherLink = ({ publisherId, screen, children }: PublisherLinkProps) => (
  <Anchor
    inherit
    underline="always"
    renderRoot={(props) => (
      <Link {...props} to={`/p/$publisherId/${screen}` as never} params={{ publisherId } as never} />
    )}
  >
    {children}
  </Anchor>
);
