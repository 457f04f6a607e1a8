import { Stack, Text } from '@mantine/core';
import { t } from '../../ui/text.ts';
import { applying } from '../applying.ts';
import { CreatorPage } from '../creator-page.tsx';
import { LinkButton } from '../link-button.tsx';
import { NamedAccounts } from '../named-accounts.tsx';
import { useProviders } from '../providers.ts';

/** Page of a person who has no creator account yet. */
export function NoAccounts() {
  const applicationPath = applying.read();
  const providers = useProviders();
  return (
    <CreatorPage title={t('Connect your creator account')}>
      <Stack gap="lg">
        <NamedAccounts />
        {applicationPath !== null && (
          <LinkButton to={applicationPath}>{t('Continue your application')}</LinkButton>
        )}
        <Text>{t('You’re signed in, but no creator account is connected yet.')}</Text>
        <div>
          <Text fw={600}>{t('You have an auth code')}</Text>
          <Text c="dimmed" mb="sm">
            {t('The publisher, or its game, shows you a code such as 7KQM-X2PA.')}
          </Text>
          <LinkButton to="/link">{t('Enter auth code')}</LinkButton>
        </div>
        {providers.length > 0 && (
          <div>
            <Text fw={600}>{t('The publisher knows your channel')}</Text>
            <Text c="dimmed" mb="sm">
              {t('Add it to your sign-in. If the publisher has listed it, you can connect your account.')}
            </Text>
            <LinkButton to="/sign-in" variant="default">
              {t('Open sign-in')}
            </LinkButton>
          </div>
        )}
        <div>
          <Text fw={600}>{t('You have neither')}</Text>
          <Text c="dimmed">
            {t('Ask the publisher to invite you by email, and open the link in that email.')}
          </Text>
        </div>
      </Stack>
    </CreatorPage>
  );
}
