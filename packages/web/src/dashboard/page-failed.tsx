import { Anchor, Container, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { t } from '../ui/text.ts';

/** Instead of a page that broke. */
export function PageFailed({ error, reset }: { error: unknown; reset(): void }) {
  return (
    <Container size="sm" py="xl">
      <ErrorNotice error={error} onRetry={reset} />
    </Container>
  );
}

/** Instead of a page that is not there, or that the role may not see. */
export function NotHere() {
  return (
    <Container size="sm" py="xl">
      <Stack>
        <Title order={1}>{t('There is nothing here')}</Title>
        <Text>{t('The address is wrong, or your role may not see what it shows.')}</Text>
        <Anchor renderRoot={(props) => <Link {...props} to="/" />}>{t('Go to the first page')}</Anchor>
      </Stack>
    </Container>
  );
}
