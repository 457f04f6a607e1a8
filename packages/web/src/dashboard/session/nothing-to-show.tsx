import { Anchor, Code, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Me } from '../../client/types.gen.ts';
import { t } from '../../ui/text.ts';
import { Providers } from './providers.tsx';
import { waysOptions } from './sign-in-form.tsx';

/**
 * For who has nothing that they can show here: the way to a provider where there is one, and how they come to a password.
 * They cannot add one themselves: a sign-in that has grown old does not change how its person signs in.
 */
export function NothingToShow({ me: { ways, email } }: { me: Me }) {
  const { data: known } = useQuery(waysOptions);
  if (known === undefined) return null;
  const hasProvider = known.providers.length > 0;
  return (
    <Stack gap="sm">
      <Text>
        {ways.passkeys > 0
          ? t('You have a passkey, and this browser knows none. Go on in one that does, or get a password:')
          : hasProvider
            ? t(
                'You have no password and no passkey here. Sign in at your provider again, or get a password:',
              )
            : t('You have no password and no passkey, so there is nothing to show. Get a password first:')}
      </Text>
      {known.hasMail ? (
        <Text>
          <Anchor href="/reset-password" underline="always">
            {t('Have a link mailed with which you choose one')}
          </Anchor>
        </Text>
      ) : (
        <Text>
          {t('Ask whoever runs the service for a link: they type')}{' '}
          <Code>{`npx attribution staff reset-password --email ${email ?? ''}`}</Code>
        </Text>
      )}
      <Text size="sm" c="dimmed">
        {t(
          'The link signs you out. Then sign in with the password, and make a passkey under “How you sign in”.',
        )}
      </Text>
      {hasProvider && <Providers next={window.location.pathname + window.location.search} />}
    </Stack>
  );
}
