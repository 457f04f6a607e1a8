import { Anchor, Container, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { t } from '../ui/text.ts';

export function PageFailed({ error, reset }: { error: unknown; reset(): void }) {
  return (
    <Container size="sm" py="xl">
      <ErrorNotice error={error} title={t('Couldn’t load this page')} onRetry={reset} />
    </Container>
  );
}

export function NotHere() {
  useEffect(() => {
    document.title = `${t('Page not found')} · ${t('Creator attribution')}`;
  }, []);
  return (
    <Container size="sm" py="xl">
      <Stack>
        <Title order={1}>{t('Page not found')}</Title>
        <Text>{t('The address is wrong, or you don’t have access.')}</Text>
        <Anchor renderRoot={(props) => <Link {...props} to="/" />}>{t('Go to the dashboard')}</Anchor>
      </Stack>
    </Container>
  );
}
