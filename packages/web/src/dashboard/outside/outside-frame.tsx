import { Box, Container, Group, Paper, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { t } from '../../ui/text.ts';

export function OutsideFrame({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · ${t('Creator attribution')}`;
  }, [title]);
  return (
    <Box component="main" pt={{ base: 'xl', sm: 80 }} px="md">
      <Container size={440} p={0}>
        <Group mb="md" gap="xs">
          <img src="/assets/icon.svg" width={28} height={28} alt="" />
          <span>{t('Creator attribution')}</span>
        </Group>
        <Paper withBorder p={{ base: 'md', sm: 'xl' }} radius="md">
          <Title order={1} size="h2" mb="md">
            {title}
          </Title>
          {children}
        </Paper>
      </Container>
    </Box>
  );
}
