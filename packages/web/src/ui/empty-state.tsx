import { Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useContext } from 'react';
import { CommandCode } from './command-code.tsx';
import { EmptyDrawing } from './empty-drawing.tsx';
import { EmptyFooter } from './empty-footer.ts';
import type { IconName } from './icons.tsx';

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
  const footer = useContext(EmptyFooter);
  return (
    <Stack align="center" gap="sm" py="xl" px="md" ta="center" data-empty>
      <EmptyDrawing icon={icon} />
      <Title order={2} size="h4">
        {title}
      </Title>
      <Text maw={520} component="div">
        {children}
      </Text>
      {action}
      {curl !== undefined && <CommandCode value={curl} />}
      {footer}
    </Stack>
  );
}
