import { Button, Stack, Text } from '@mantine/core';
import { enterLink } from '../../../client/portal/sdk.gen.ts';
import { ApiFailure } from '../../../ui/api-failure.ts';
import { t } from '../../../ui/text.ts';
import { useAttempt } from '../../../ui/use-attempt.ts';
import { CreatorPage } from '../../creator-page.tsx';
import { Failing } from '../../failing.tsx';

interface EnterLinkProps {
  token: string;
  onEntered(): void;
  /** Called to request a code instead. */
  onGiveUp(): void;
}

/** Button that signs in with an emailed link. Opening the page must not, because mail scanners also open links. */
export function EnterLink({ token, onEntered, onGiveUp }: EnterLinkProps) {
  const { error, isBusy, run } = useAttempt();
  const isUsed = error instanceof ApiFailure && error.status === 401;
  const enter = async (): Promise<void> => {
    await enterLink({ body: { token }, throwOnError: true });
    onEntered();
  };
  return (
    <CreatorPage title={isUsed ? t('This link can’t be used') : t('Sign in')}>
      <Stack>
        {!isUsed && <Text>{t('Press the button to sign in on this device.')}</Text>}
        {error !== null && <Failing error={error} title={t('You’re not signed in')} />}
        {isUsed ? (
          <Button size="md" onClick={onGiveUp}>
            {t('Get a new code')}
          </Button>
        ) : (
          <Button size="md" loading={isBusy} onClick={() => void run(enter)}>
            {t('Sign in')}
          </Button>
        )}
      </Stack>
    </CreatorPage>
  );
}
