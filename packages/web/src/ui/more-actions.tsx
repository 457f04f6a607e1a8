import { Button, Popover, Stack } from '@mantine/core';
import { Children, type ReactNode, useState } from 'react';
import { Icon } from './icons.tsx';
import classes from './more-actions.module.css';
import { t } from './text.ts';

/** Button that shows further actions, one below the other. */
export function MoreActions({ children }: { children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  if (Children.toArray(children).length === 0) return null;
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" shadow="md" trapFocus keepMounted>
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<Icon name="more" size={16} />}
          onClick={() => setOpen(!isOpen)}
        >
          {t('More')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p="xs">
        <Stack gap="xs" className={classes.list} onClick={() => setOpen(false)}>
          {children}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
