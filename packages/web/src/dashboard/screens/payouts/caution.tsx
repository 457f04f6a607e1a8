import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from '../../../ui/icons.tsx';

/** Sentence to read before payouts are created. */
export const Caution = ({ children }: { children: ReactNode }) => (
  <Group gap="xs" wrap="nowrap" align="flex-start">
    <Text c="var(--mantine-color-yellow-text)" component="span" lh={1.55} size="sm" aria-hidden="true">
      <Icon name="info" size={16} />
    </Text>
    <Text component="div" size="sm" maw="110ch">
      {children}
    </Text>
  </Group>
);
