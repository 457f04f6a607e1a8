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

/** How somebody signs in, and what a publisher asks for before they may go on. */
export function Page() {
  const me = useMe();
  const client = useQueryClient();
  const router = useRouter();
  const { next = '/' } = useSearch({ strict: false }) as { next?: string };
  const demanding = me.publishers
    .filter(({ lacks, sandboxOf }) => lacks !== null && sandboxOf === null)
    .map(({ name }) => name);
  useEffect(() => {
    document.title = `${t('How you sign in')} · ${t('Creator attribution')}`;
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
              {t('How you sign in')}
            </Title>
            <Text c="dimmed">{me.email === null ? me.name : `${me.name} · ${me.email}`}</Text>
          </Box>
          {demanding.length > 0 && (
            <Part title={t('A second factor is asked for')}>
              <Text>
                {t('{publishers} asks everybody for a second factor.', { publishers: demanding.join(', ') })}{' '}
                {me.ways.codes
                  ? t('Show a code of your authenticator app.')
                  : t('Set one up below: an authenticator app, or a passkey with which you sign in again.')}
              </Text>
              {me.ways.codes && <ShowCode onShown={goOn} />}
            </Part>
          )}
          <Part title={t('Authenticator app')} state={me.ways.codes ? t('set up') : t('not set up')}>
            <Codes isSetUp={me.ways.codes} hasPassword={me.ways.password} onChange={refresh} />
          </Part>
          <Part
            title={t('Passkeys')}
            state={t('{count, plural, =0 {none} other {#}}', { count: me.ways.passkeys })}
          >
            <Passkeys onChange={refresh} />
          </Part>
          <Part title={t('Where you are signed in')}>
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
