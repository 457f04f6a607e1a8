import { Alert, Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { beginPasskeySignIn, beginProviderSignIn, enterPasskey } from '../../../client/portal/sdk.gen.ts';
import type { Provider } from '../../../client/portal/types.gen.ts';
import { askForPasskey, supportsPasskeys } from '../../../ui/passkey.ts';
import { t } from '../../../ui/text.ts';
import { useAttempt } from '../../../ui/use-attempt.ts';
import { Failing } from '../../failing.tsx';

interface OtherWaysProps {
  providers: readonly Provider[];
  onEntered(): void;
}

/** Buttons that sign in with a passkey or open the pages of providers. */
export function OtherWays({ providers, onEntered }: OtherWaysProps) {
  const { error, isBusy, run } = useAttempt();
  const [isCanceled, setCanceled] = useState(false);
  const visit = async (provider: Provider['provider']): Promise<void> => {
    const { data } = await beginProviderSignIn({ body: { provider }, throwOnError: true });
    window.location.assign(data.url);
  };
  const enterWithPasskey = async (): Promise<void> => {
    setCanceled(false);
    const { data } = await beginPasskeySignIn({ body: {}, throwOnError: true });
    const response = await askForPasskey(data as unknown as PublicKeyCredentialRequestOptionsJSON);
    if (response === null) return setCanceled(true);
    await enterPasskey({ body: { response }, throwOnError: true });
    onEntered();
  };
  if (providers.length === 0 && !supportsPasskeys()) return null;
  return (
    <Stack mt="lg">
      <Text c="dimmed" size="sm" ta="center">
        {t('or')}
      </Text>
      {error !== null && <Failing error={error} title={t('You’re not signed in')} />}
      {isCanceled && <Alert role="status">{t('No passkey was used. You can try again.')}</Alert>}
      {supportsPasskeys() && (
        <Button size="md" variant="default" disabled={isBusy} onClick={() => void run(enterWithPasskey)}>
          {t('Sign in with a passkey')}
        </Button>
      )}
      {providers.map(({ provider, name }) => (
        <Button
          key={provider}
          size="md"
          variant="default"
          disabled={isBusy}
          onClick={() => void run(() => visit(provider))}
        >
          {t('Continue with {provider}', { provider: name })}
        </Button>
      ))}
    </Stack>
  );
}
