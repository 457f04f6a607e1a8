import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from './link.tsx';

/** Link that looks like a button. */
export const LinkButton = ({
  to,
  variant = 'filled',
  label,
  children,
}: {
  to: string;
  variant?: 'filled' | 'default';
  /** Name for screen readers, if the text alone would be ambiguous. */
  label?: string;
  children: ReactNode;
}) => (
  <Button
    size="md"
    variant={variant}
    renderRoot={(props) => <Link {...props} to={to} {...(label !== undefined && { 'aria-label': label })} />}
  >
    {children}
  </Button>
);
