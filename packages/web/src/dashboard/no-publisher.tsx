import { Button, Container, Stack, Text, Title } from '@mantine/core';
import { t } from '../ui/text.ts';
import { leave } from './session/leave.ts';
import { useMe } from './session/session.ts';

export function NoPublisher() {
  const { name } = useMe();
  return (
    <Container size="sm" py="xl">
      <Stack align="flex-start">
        <Title order={1}>{t('You don’t have access to any publisher')}</Title>
        <Text>
          {t('You’re signed in as {name}. Ask an owner for an invitation, and open its link.', { name })}
        </Text>
        <Button variant="default" onClick={() => void leave()}>
          {t('Sign out')}
        </Button>
      </Stack>
    </Container>
  );
}
