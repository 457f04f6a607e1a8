import { Stack, Text } from '@mantine/core';
import { t } from '../../ui/text.ts';
import { applying } from '../applying.ts';
import { CreatorPage } from '../creator-page.tsx';
import { LinkButton } from '../link-button.tsx';

/** Page of a person who has no creator account yet. */
export function NoAccounts() {
  const applicationPath = applying.read();
  return (
    <CreatorPage title={t('Connect your creator account')}>
      <Stack gap="lg">
        {applicationPath !== null && (
          <LinkButton to={applicationPath}>{t('Continue your application')}</LinkButton>
        )}
        <Text>
          {t('You’re signed in, but no creator account is connected yet. There are two ways to connect one.')}
        </Text>
        <div>
          <Text fw={600}>{t('You have an auth code')}</Text>
          <Text c="dimmed" mb="sm">
            {t('The publisher, or its game, shows you a code such as 7KQM-X2PA.')}
          </Text>
          <LinkButton to="/link">{t('Enter auth code')}</LinkButton>
        </div>
        <div>
          <Text fw={600}>{t('You don’t have one')}</Text>
          <Text c="dimmed">
            {t('Ask the publisher to invite you by email, and open the link in that email.')}
          </Text>
        </div>
      </Stack>
    </CreatorPage>
  );
}
