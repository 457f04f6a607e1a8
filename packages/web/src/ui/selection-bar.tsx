import { Box, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { MoreActions } from './more-actions.tsx';
import classes from './selection-bar.module.css';
import { useNarrow } from './use-narrow.ts';

interface SelectionBarProps {
  /** Accessible name, such as "Selected creators". */
  label: string;
  /** Number of selected rows, in words. */
  count: string;
  /** Second line: why some of the buttons can't be used, or what the rows add up to. */
  note?: string | null | undefined;
  /** Buttons for the selected rows. On a phone, they are behind a button if there is a main action. */
  actions?: ReactNode;
  /** Button for the most frequent action. */
  mainAction?: ReactNode;
}

/** Bar below a list with actions for the selected rows. */
export function SelectionBar({ label, count, note, actions, mainAction }: SelectionBarProps) {
  const isNarrow = useNarrow();
  return (
    <Group
      className={classes.bar}
      justify="space-between"
      gap="xs"
      role="region"
      aria-label={label}
      data-bottom-bar="tall"
    >
      <Box className={classes.words}>
        <Text size="sm" role="status">
          {count}
        </Text>
        {note && (
          <Text size="sm" c="dimmed">
            {note}
          </Text>
        )}
      </Box>
      <Group className={classes.actions} gap="xs">
        {isNarrow && mainAction ? <MoreActions>{actions}</MoreActions> : actions}
        {mainAction}
      </Group>
    </Group>
  );
}
