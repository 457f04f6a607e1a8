import { Code, Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyButton } from './copy-button.tsx';
import { EmptyDrawing } from './empty-drawing.tsx';
import type { IconName } from './icons.tsx';
import { t } from './text.ts';

interface EmptyStateProps {
  icon: IconName;
  title: string;
  /** Next step, in a sentence. */
  children: ReactNode;
  /** Button for the next step. */
  action?: ReactNode;
  /** Command for the next step, which works as pasted. */
  curl?: string;
}

/** Placeholder for an empty list, with the next step. */
export function EmptyState({ icon, title, children, action, curl }: EmptyStateProps) {
  return (
    <Stack align="center" gap="sm" py="xl" px="md" ta="center">
      <EmptyDrawing icon={icon} />
      <Title order={2} size="h4">
        {title}
      </Title>
      <Text maw={520} component="div">
        {children}
      </Text>
      {action}
      {curl !== undefined && (
        <Stack gap={4} w="100%" maw={720} align="stretch" ta="start">
          <Code block tabIndex={0}>
            {curl}
          </Code>
          <Group justify="flex-end">
            <CopyButton value={curl} label={t('Copy command')} withLabel />
          </Group>
        </Stack>
      )}
    </Stack>
  );
}
