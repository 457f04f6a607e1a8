import { Group, Paper, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from '../../../../ui/icons.tsx';
import { StatusBadge } from '../../../../ui/status-badge.tsx';
import { t } from '../../../../ui/text.ts';

interface StepProps {
  number: number;
  title: string;
  /** True if the service knows that the step is done. */
  isDone?: boolean;
  /** Progress of a step that isn't done, such as a sample that passed. */
  progress?: string | undefined;
  children: ReactNode;
}

/** Step of the setup. All steps stay visible, because a person comes back to each of them. */
export function Step({ number, title, isDone = false, progress, children }: StepProps) {
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <ThemeIcon
          size={28}
          radius="xl"
          variant="light"
          {...(isDone ? { color: 'green', role: 'img', 'aria-label': t('Done') } : { 'aria-hidden': true })}
        >
          {isDone ? (
            <Icon name="check" size={16} />
          ) : (
            <Text span size="sm" fw={600}>
              {number}
            </Text>
          )}
        </ThemeIcon>
        <Stack gap="sm" flex={1} miw={0}>
          <Group gap="sm" mt={4}>
            <Title order={2} size="h5">
              {title}
            </Title>
            {!isDone && progress !== undefined && <StatusBadge tone="good">{progress}</StatusBadge>}
          </Group>
          {children}
        </Stack>
      </Group>
    </Paper>
  );
}
