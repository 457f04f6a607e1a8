import { Group, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface PartProps {
  title: string;
  /** Buttons beside the title, so that a part without content takes a single line. */
  actions?: ReactNode;
  children?: ReactNode;
}

/** Part of a creator's drawer. */
export const Part = ({ title, actions, children }: PartProps) => (
  <Stack gap="xs" component="section" aria-label={title}>
    <Group justify="space-between" gap="xs">
      <Title order={3} size="h5">
        {title}
      </Title>
      {actions && <Group gap="xs">{actions}</Group>}
    </Group>
    {children}
  </Stack>
);
