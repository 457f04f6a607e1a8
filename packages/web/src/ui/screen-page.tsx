import { Box, Group, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { MoreActions } from './more-actions.tsx';
import classes from './screen-page.module.css';
import { t } from './text.ts';
import { useNarrow } from './use-narrow.ts';

interface ScreenPageProps {
  title: string;
  /** Sentence below the title, if the title needs an explanation. */
  about?: ReactNode;
  /** Selectors for what the screen shows, such as a view or a period. They stay at the top on a phone. */
  tools?: ReactNode;
  /** Buttons for less frequent actions. On a phone, they are behind a button if there is a main action. */
  actions?: ReactNode;
  /** Button for the screen's main action. On a phone, it is at the bottom. */
  mainAction?: ReactNode;
  children: ReactNode;
}

/** Layout of a screen: heading, actions and content. Sets the window title. */
export function ScreenPage({ title, about, tools, actions, mainAction, children }: ScreenPageProps) {
  const isNarrow = useNarrow();
  useEffect(() => {
    document.title = `${title} · ${t('Creator attribution')}`;
  }, [title]);
  return (
    <Box>
      <Group justify="space-between" align="flex-start" mb="md">
        <Box className={classes.heading}>
          <Title order={1} size="h2" tabIndex={-1} data-screen-title>
            {title}
          </Title>
          {about !== undefined && (
            <Text c="dimmed" component="div">
              {about}
            </Text>
          )}
        </Box>
        <Group gap="xs">
          {tools}
          {!isNarrow && actions}
          {!isNarrow && mainAction}
        </Group>
      </Group>
      {children}
      {isNarrow && (
        <Group className={classes.bar} role="group" aria-label={t('Actions')}>
          {mainAction ? <MoreActions>{actions}</MoreActions> : actions}
          {mainAction}
        </Group>
      )}
    </Box>
  );
}
