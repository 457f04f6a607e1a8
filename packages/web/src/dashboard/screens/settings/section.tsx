import { Paper, Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

interface SectionProps {
  title: string;
  about?: ReactNode;
  children: ReactNode;
}

export function Section({ title, about, children }: SectionProps) {
  const id = useId();
  return (
    <Paper component="section" withBorder p="md" aria-labelledby={id}>
      <Title order={2} size="h4" id={id} mb={about === undefined ? 'sm' : 4}>
        {title}
      </Title>
      {about !== undefined && (
        <Text c="dimmed" size="sm" mb="md" maw={720} component="div">
          {about}
        </Text>
      )}
      {children}
    </Paper>
  );
}
