import { Box, Group, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { t } from './text.ts';

interface ScreenPageProps {
  title: string;
  /** One sentence, where the title does not say enough. */
  about?: ReactNode;
  /** Buttons, the main one last. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A screen: its heading, what can be done, and the rest. Names the window. */
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
