import { Anchor, Badge, Box, Button, Container, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { Icon } from '../../ui/icons.tsx';
import { t } from '../../ui/text.ts';
import { leave } from '../session/leave.ts';
import { meOptions, useMe } from '../session/session.ts';
import { Codes } from './codes.tsx';
import { Passkeys } from './passkeys.tsx';
import { Sessions } from './sessions.tsx';
import { ShowCode } from './show-code.tsx';

/** Sign-in settings for the signed-in person, including the setup of a required second factor. */
export function Page() {
  const me = useMe();
  const client = useQueryClient();
  const router = useRouter();
  const { next = '/' } = useSearch({ strict: false }) as { next?: string };
  const requiringPublishers = me.publishers
    .filter(({ lacks, sandboxOf }) => lacks !== null && sandboxOf === null)
    .map(({ name }) => name);
  useEffect(() => {
    document.title = `${t('Sign-in settings')} · ${t('Creator attribution')}`;
  }, []);
  const refresh = (): Promise<void> => client.invalidateQueries({ queryKey: meOptions.queryKey });
  const goOn = async (): Promise<void> => {
    await refresh();
    router.history.push(/^\/(?![/\\])/.test(next) ? next : '/');
  };
  return (
    <Box component="main" py="xl" px="md">
      <Container size="sm" p={0}>
        <Stack gap="lg">
          <Group justify="space-between">
            <Anchor href="/">
              <Group gap={4}>
                <Icon name="left" size={16} />
                {t('Back to the dashboard')}
              </Group>
            </Anchor>
            <Button variant="default" onClick={() => void leave()}>
              {t('Sign out')}
            </Button>
          </Group>
          <Box>
            <Title order={1} size="h2">
              {t('Sign-in settings')}
            </Title>
            <Text c="dimmed">{me.email === null ? me.name : `${me.name} · ${me.email}`}</Text>
          </Box>
          {requiringPublishers.length > 0 && (
            <Part title={t('Second factor required')}>
              <Text>
                {t('Required by {publishers}.', { publishers: requiringPublishers.join(', ') })}{' '}
                {me.ways.codes
                  ? t('Enter a code from your authenticator app.')
                  : t('Set up an authenticator app below, or create a passkey and sign in again with it.')}
              </Text>
              {me.ways.codes && <ShowCode onShown={goOn} />}
            </Part>
          )}
          <Part title={t('Authenticator app')} state={me.ways.codes ? t('Set up') : t('Not set up')}>
            <Codes isSetUp={me.ways.codes} hasPassword={me.ways.password} onChange={refresh} />
          </Part>
          <Part
            title={t('Passkeys')}
            state={t('{count, plural, =0 {None} other {#}}', { count: me.ways.passkeys })}
          >
            <Passkeys onChange={refresh} />
          </Part>
          <Part title={t('Active sessions')}>
            <Sessions />
          </Part>
        </Stack>
      </Container>
    </Box>
  );
}

function Part({ title, state, children }: { title: string; state?: string; children: ReactNode }) {
  return (
    <Paper withBorder p="lg" radius="md" component="section" aria-label={title}>
      <Stack>
        <Group justify="space-between">
          <Title order={2} size="h4">
            {title}
          </Title>
          {state !== undefined && (
            <Badge variant="default" tt="none">
              {state}
            </Badge>
          )}
        </Group>
        {children}
      </Stack>
    </Paper>
  );
}
