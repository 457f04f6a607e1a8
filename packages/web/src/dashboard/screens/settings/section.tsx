import { Paper, Text, Title } from '@mantine/core';
import { type ReactNode, useContext, useEffect, useId } from 'react';
import { NoteSection } from './section-list.tsx';

interface SectionProps {
  title: string;
  about?: ReactNode;
  children: ReactNode;
}

export function Section({ title, about, children }: SectionProps) {
  const id = useId();
  const note = useContext(NoteSection);
  useEffect(() => note(id, title), [note, id, title]);
  return (
    <Paper component="section" withBorder p="md" aria-labelledby={id}>
      <Title order={2} size="h4" id={id} tabIndex={-1} mb={about === undefined ? 'sm' : 4}>
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
