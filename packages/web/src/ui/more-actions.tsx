import { ActionIcon, Button, Popover, Stack } from '@mantine/core';
import { Children, type ReactNode, useState } from 'react';
import { Icon } from './icons.tsx';
import classes from './more-actions.module.css';
import { t } from './text.ts';

interface MoreActionsProps {
  /** True to show only the button's icon, beside a title. */
  isBrief?: boolean;
  children: ReactNode;
}

/** Button that shows further actions, one below the other. */
export function MoreActions({ isBrief = false, children }: MoreActionsProps) {
  const [isOpen, setOpen] = useState(false);
  if (Children.toArray(children).length === 0) return null;
  const onClick = (): void => setOpen(!isOpen);
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" shadow="md" trapFocus keepMounted>
      <Popover.Target>
        {isBrief ? (
          <ActionIcon variant="default" size={36} aria-label={t('More')} onClick={onClick}>
            <Icon name="more" />
          </ActionIcon>
        ) : (
          <Button variant="default" leftSection={<Icon name="more" size={16} />} onClick={onClick}>
            {t('More')}
          </Button>
        )}
      </Popover.Target>
      <Popover.Dropdown p="xs">
        <Stack gap="xs" className={classes.list} onClick={() => setOpen(false)}>
          {children}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
