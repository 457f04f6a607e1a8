import { Stack, Text } from '@mantine/core';
import { t } from '../../ui/text.ts';
import { CreatorPage } from '../creator-page.tsx';
import { LinkButton } from '../link-button.tsx';

export function NotHere() {
  return (
    <CreatorPage title={t('Page not found')}>
      <Stack align="flex-start">
        <Text>{t('This address is wrong, or the page no longer exists.')}</Text>
        <LinkButton to="/">{t('Go to Home')}</LinkButton>
      </Stack>
    </CreatorPage>
  );
}
