import { Button, Divider, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { t } from '../../ui/text.ts';
import { askAuth } from './auth.ts';
import { waysOptions } from './sign-in-form.tsx';
import { useAttempt } from './use-attempt.ts';

/**
 * Signing in at a provider alone: for somebody new who wants no password here, and for who has none.
 * @param next where the provider sends them back to
 */
export function Providers({ next }: { next: string }) {
  const { data: ways } = useQuery(waysOptions);
  const { error, isBusy, run } = useAttempt();
  if (ways === undefined || ways.providers.length === 0) return null;
  const goTo = async (provider: string): Promise<void> => {
    const { url } = await askAuth<{ url: string }>('/auth/sign-in/provider', { provider, next });
    window.location.assign(url);
  };
  return (
    <Stack mt="md">
      <Divider label={t('or')} />
      {error !== null && <ErrorNotice error={error} title={t('Signing in did not work')} />}
      {ways.providers.map(({ id, name }) => (
        <Button key={id} variant="default" loading={isBusy} onClick={() => void run(() => goTo(id))}>
          {t('Sign in with {name}', { name })}
        </Button>
      ))}
    </Stack>
  );
}
