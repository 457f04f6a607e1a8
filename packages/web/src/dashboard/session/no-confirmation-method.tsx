import { Anchor, Code, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Me } from '../../client/types.gen.ts';
import { t } from '../../ui/text.ts';
import { Providers } from './providers.tsx';
import { waysOptions } from './sign-in-form.tsx';

/**
 * Help for a person with no password, code or passkey to confirm with: the sign-in providers, and how to get
 * a password. The person can't add a method here, because a session that is too old must not change how a
 * person signs in.
 */
export function NoConfirmationMethod({ me: { ways, email } }: { me: Me }) {
  const { data: known } = useQuery(waysOptions);
  if (known === undefined) return null;
  const hasProvider = known.providers.length > 0;
  return (
    <Stack gap="sm">
      <Text>
        {ways.passkeys > 0
          ? t(
              'You have a passkey, but this browser doesn’t support passkeys. Use another browser, or get a password:',
            )
          : hasProvider
            ? t(
                'You have no password and no passkey here. Sign in with your provider again, or get a password:',
              )
            : t('You have no password and no passkey to confirm with. Get a password first:')}
      </Text>
      {known.hasMail ? (
        <Text>
          <Anchor href="/reset-password" underline="always">
            {t('Get a link by email to set a password')}
          </Anchor>
        </Text>
      ) : (
        <Text>
          {t('Ask the service’s operator for a link. The operator can create one with')}{' '}
          <Code>{`npx attribution staff reset-password --email ${email ?? ''}`}</Code>
        </Text>
      )}
      <Text size="sm" c="dimmed">
        {t(
          'The link signs you out. Then sign in with the password, and create a passkey under “Sign-in settings”.',
        )}
      </Text>
      {hasProvider && <Providers next={window.location.pathname + window.location.search} />}
    </Stack>
  );
}
