import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './disclosure.module.css';
import { Icon } from './icons.tsx';

/** Content that a click on its label shows. */
export const Disclosure = ({ label, children }: { label: string; children: ReactNode }) => (
  <details className={classes.root}>
    <Button
      component="summary"
      variant="subtle"
      size="compact-sm"
      rightSection={<Icon name="down" size={14} />}
    >
      {label}
    </Button>
    <div className={classes.content}>{children}</div>
  </details>
);
