import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './selection-bar.module.css';

interface SelectionBarProps {
  /** Accessible name, such as "Selected creators". */
  label: string;
  /** Number of selected rows, in words. */
  count: string;
  /** Buttons for the selected rows, and the reasons why some can't be used. */
  children: ReactNode;
}

/** Bar below a list with actions for the selected rows. */
export function SelectionBar({ label, count, children }: SelectionBarProps) {
  return (
    <Group className={classes.bar} justify="space-between" role="region" aria-label={label}>
      <Text size="sm" role="status">
        {count}
      </Text>
      <Group gap="xs">{children}</Group>
    </Group>
  );
}
