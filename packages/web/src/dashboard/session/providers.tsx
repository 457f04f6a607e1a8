import { Button, Divider, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { t } from '../../ui/text.ts';
import { useAttempt } from '../../ui/use-attempt.ts';
import { callAuth } from './auth.ts';
import { waysOptions } from './sign-in-form.tsx';

/**
 * Buttons that sign in with a provider, for people who don't have a dashboard password.
 * @param next path that the provider redirects back to
 */
export function Providers({ next }: { next: string }) {
  const { data: ways } = useQuery(waysOptions);
  const { error, isBusy, run } = useAttempt();
  if (ways === undefined || ways.providers.length === 0) return null;
  const goTo = async (provider: string): Promise<void> => {
    const { url } = await callAuth<{ url: string }>('/auth/sign-in/provider', { provider, next });
    window.location.assign(url);
  };
  return (
    <Stack mt="md">
      <Divider label={t('or')} />
      {error !== null && <ErrorNotice error={error} title={t('Couldn’t sign in')} />}
      {ways.providers.map(({ id, name }) => (
        <Button key={id} variant="default" loading={isBusy} onClick={() => void run(() => goTo(id))}>
          {t('Sign in with {name}', { name })}
        </Button>
      ))}
    </Stack>
  );
}
