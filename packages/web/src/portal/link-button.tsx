import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from './link.tsx';

/** Link that looks like a button. */
export const LinkButton = ({
  to,
  variant = 'filled',
  children,
}: {
  to: string;
  variant?: 'filled' | 'default';
  children: ReactNode;
}) => (
  <Button size="md" variant={variant} renderRoot={(props) => <Link {...props} to={to} />}>
    {children}
  </Button>
);
