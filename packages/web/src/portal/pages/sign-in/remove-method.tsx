import { Button, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { listSignInMethodsOptions } from '../../../client/portal/@tanstack/react-query.gen.ts';
import { removeSignInMethod, requestSignInRemovalCode } from '../../../client/portal/sdk.gen.ts';
import { announce } from '../../../ui/announce.tsx';
import { t } from '../../../ui/text.ts';
import { useAttempt } from '../../../ui/use-attempt.ts';
import { CreatorPage } from '../../creator-page.tsx';
import { EmailedCode } from '../../emailed-code.tsx';
import { Failing } from '../../failing.tsx';
import { LinkButton } from '../../link-button.tsx';
import { Back } from '../../list.tsx';
import { goTo } from '../../place.ts';
import { Skeletons } from '../../skeletons.tsx';
import { methodTitle } from './method-title.ts';

/** Asks whether to remove a sign-in method, and then for the emailed code that removes it. */
export function RemoveMethod({ signInMethodId }: { signInMethodId: string }) {
  const queryClient = useQueryClient();
  const { data, error, refetch } = useQuery(listSignInMethodsOptions());
  const [email, setEmail] = useState<string | null>(null);
  const asking = useAttempt();
  const path = { signInMethodId };
  const request = async (): Promise<void> => {
    const { data: sent } = await requestSignInRemovalCode({ path, body: {}, throwOnError: true });
    setEmail(sent.email);
  };
  const remove = async (code: string): Promise<void> => {
    await removeSignInMethod({ path, body: { code }, throwOnError: true });
    await queryClient.invalidateQueries();
    goTo('/sign-in', { replaces: true });
    announce(t('Removed'));
  };
  const method = data?.rows.find((each) => each.signInMethodId === signInMethodId);
  const title = method === undefined ? '' : methodTitle(method);
  const named = method?.name == null ? title : `${title}: ${method.name}`;
  if (method !== undefined && email !== null)
    return (
      <EmailedCode
        title={t('Confirm it’s you')}
        email={email}
        minutes={10}
        failure={t('Nothing was changed')}
        action={t('Remove')}
        onConfirm={remove}
        onSendAgain={request}
        back={{ label: t('Keep it'), onBack: () => goTo('/sign-in', { replaces: true }) }}
      >
        <Text style={{ overflowWrap: 'anywhere' }}>{t('This removes {method}.', { method: named })}</Text>
      </EmailedCode>
    );
  return (
    <>
      <Back to="/sign-in">{t('Sign-in')}</Back>
      <CreatorPage title={t('Remove {method}?', { method: title })}>
        {method !== undefined ? (
          <Stack>
            {method.name !== null && <Text style={{ overflowWrap: 'anywhere' }}>{method.name}</Text>}
            <Text>
              {t(
                'You can no longer sign in with it, and you’re signed out on other devices where you used it.',
              )}
            </Text>
            {asking.error !== null && <Failing error={asking.error} title={t('That didn’t work')} />}
            <Button size="md" color="red" loading={asking.isBusy} onClick={() => void asking.run(request)}>
              {t('Remove')}
            </Button>
            <LinkButton to="/sign-in" variant="default">
              {t('Keep it')}
            </LinkButton>
          </Stack>
        ) : error !== null ? (
          <Failing
            error={error}
            title={t('Couldn’t load your ways to sign in')}
            onRetry={() => void refetch()}
          />
        ) : data !== undefined ? (
          <Text>{t('It was already removed.')}</Text>
        ) : (
          <Skeletons heights={[64, 44, 44]} />
        )}
      </CreatorPage>
    </>
  );
}
