import { Button, Divider, Stack } from '@mantine/core';
import { beginProviderSignIn } from '../../../client/portal/sdk.gen.ts';
import type { Provider } from '../../../client/portal/types.gen.ts';
import { t } from '../../../ui/text.ts';
import { useAttempt } from '../../../ui/use-attempt.ts';
import { Failing } from '../../failing.tsx';

/** Buttons that open the pages of providers. */
export function ProviderButtons({ providers }: { providers: readonly Provider[] }) {
  const { error, isBusy, run } = useAttempt();
  const visit = async (provider: Provider['provider']): Promise<void> => {
    const { data } = await beginProviderSignIn({ body: { provider }, throwOnError: true });
    window.location.assign(data.url);
  };
  if (providers.length === 0) return null;
  return (
    <Stack mt="lg">
      <Divider label={t('or')} />
      {error !== null && <Failing error={error} title={t('You’re not signed in')} />}
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
