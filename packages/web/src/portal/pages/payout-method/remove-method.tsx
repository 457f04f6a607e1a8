import { Button, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { listPayoutMethodsOptions } from '../../../client/portal/@tanstack/react-query.gen.ts';
import { removePayoutMethod, requestRemovalCode } from '../../../client/portal/sdk.gen.ts';
import { announce } from '../../../ui/announce.tsx';
import { t } from '../../../ui/text.ts';
import { useAttempt } from '../../../ui/use-attempt.ts';
import { CreatorPage } from '../../creator-page.tsx';
import { EmailedCode } from '../../emailed-code.tsx';
import { Failing } from '../../failing.tsx';
import { LinkButton } from '../../link-button.tsx';
import { Back } from '../../list.tsx';
import { methodName } from '../../method-name.ts';
import { goTo } from '../../place.ts';
import { usePublisher } from '../../publisher.ts';
import { Skeletons } from '../../skeletons.tsx';

/** Asks whether to remove a payout method, and then for the emailed code that removes it. */
export function RemoveMethod({ methodId }: { methodId: string }) {
  const { publisherId, name: publisher } = usePublisher();
  const queryClient = useQueryClient();
  const query = { publisher: publisherId };
  const { data, error, refetch } = useQuery(listPayoutMethodsOptions({ query }));
  const [email, setEmail] = useState<string | null>(null);
  const asking = useAttempt();
  const request = async (): Promise<void> => {
    const { data: sent } = await requestRemovalCode({ path: { methodId }, query, throwOnError: true });
    setEmail(sent.email);
  };
  const remove = async (code: string): Promise<void> => {
    await removePayoutMethod({ path: { methodId }, query, body: { code }, throwOnError: true });
    await queryClient.invalidateQueries();
    goTo('/payout-method', { replaces: true });
    announce(t('Payout method removed'));
  };
  const method = data?.methods.find((each) => each.methodId === methodId && each.state !== 'Ended');
  const named = method === undefined ? '' : `${methodName(method.kind)} ${method.hint}`;
  if (method !== undefined && email !== null)
    return (
      <EmailedCode
        title={t('Confirm it’s you')}
        email={email}
        minutes={10}
        failure={t('Nothing was changed')}
        action={t('Remove payout method')}
        onConfirm={remove}
        onSendAgain={request}
        back={{ label: t('Keep it'), onBack: () => goTo('/payout-method', { replaces: true }) }}
      >
        <Text style={{ overflowWrap: 'anywhere' }}>{t('This removes {method}.', { method: named })}</Text>
      </EmailedCode>
    );
  return (
    <>
      <Back to="/payout-method">{t('Payout method')}</Back>
      <CreatorPage title={t('Remove this payout method?')}>
        {method !== undefined ? (
          <Stack>
            <Text style={{ overflowWrap: 'anywhere' }}>
              {t(
                '{publisher} no longer pays you to {method}. Payouts that were already created still go there.',
                {
                  publisher,
                  method: named,
                },
              )}
            </Text>
            <Text>{t('To change it, enter a new one instead. It replaces this one.')}</Text>
            {asking.error !== null && <Failing error={asking.error} title={t('That didn’t work')} />}
            <Button size="md" color="red" loading={asking.isBusy} onClick={() => void asking.run(request)}>
              {t('Remove')}
            </Button>
            <LinkButton to="/payout-method" variant="default">
              {t('Keep it')}
            </LinkButton>
          </Stack>
        ) : error !== null ? (
          <Failing
            error={error}
            title={t('Couldn’t load your payout method')}
            onRetry={() => void refetch()}
          />
        ) : data !== undefined ? (
          <Text>{t('This payout method was already removed.')}</Text>
        ) : (
          <Skeletons heights={[64, 44, 44]} />
        )}
      </CreatorPage>
    </>
  );
}
