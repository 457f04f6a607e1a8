import { Box, Group, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { t } from './text.ts';

interface ScreenPageProps {
  title: string;
  /** Sentence below the title, if the title needs an explanation. */
  about?: ReactNode;
  /** Buttons, with the main one last. */
  actions?: ReactNode;
  children: ReactNode;
}

/** Layout of a screen: heading, actions and content. Sets the window title. */
export function ScreenPage({ title, about, actions, children }: ScreenPageProps) {
  useEffect(() => {
    document.title = `${title} · ${t('Creator attribution')}`;
  }, [title]);
  return (
    <Box>
      <Group justify="space-between" align="flex-start" mb="md">
        <Box>
          <Title order={1} size="h2" tabIndex={-1} data-screen-title>
            {title}
          </Title>
          {about !== undefined && (
            <Text c="dimmed" component="div">
              {about}
            </Text>
          )}
        </Box>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Box>
  );
}
