import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { getPayoutMethodChange, takeBackPayoutMethodChange } from '../../../client/portal/sdk.gen.ts';
import type { PayoutMethodChange } from '../../../client/portal/types.gen.ts';
import { linkToken } from '../../../ui/link-token.ts';
import { t } from '../../../ui/text.ts';
import { useAttempt } from '../../../ui/use-attempt.ts';
import { formatWhen } from '../../../ui/when.tsx';
import { queryClient } from '../../api.ts';
import { CreatorPage } from '../../creator-page.tsx';
import { Failing } from '../../failing.tsx';
import { LinkButton } from '../../link-button.tsx';
import { FactList } from '../../list.tsx';
import { methodName } from '../../method-name.ts';
import { Skeletons } from '../../skeletons.tsx';

/** Page that the link "This wasn’t me" opens. Opening it changes nothing, because mail scanners also open links. */
export function Page() {
  const [token] = useState(linkToken);
  const [taken, setTaken] = useState<PayoutMethodChange | null>(null);
  const told = useQuery({
    queryKey: ['payout method change', token],
    queryFn: async () => (await getPayoutMethodChange({ body: { token }, throwOnError: true })).data,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const change = taken ?? told.data;
  if (change === undefined)
    return told.error === null ? (
      <Skeletons heights={[32, 44, 44, 44]} />
    ) : (
      <CreatorPage title={t('This link can’t be used')}>
        <Failing error={told.error} onRetry={() => void told.refetch()} />
      </CreatorPage>
    );
  return change.isTakenBack ? (
    <TakenBack publisher={change.publisherName} />
  ) : (
    <Changed token={token} change={change} onTakenBack={setTaken} />
  );
}

interface ChangedProps {
  token: string;
  change: PayoutMethodChange;
  onTakenBack(change: PayoutMethodChange): void;
}

function Changed({ token, change, onTakenBack }: ChangedProps) {
  const { error, isBusy, run } = useAttempt();
  const { publisherName: publisher, kind, hint } = change;
  const takeBack = async (): Promise<void> => {
    const { data } = await takeBackPayoutMethodChange({ body: { token }, throwOnError: true });
    queryClient.clear(); // the session has ended, too
    onTakenBack(data);
  };
  return (
    <CreatorPage
      title={
        change.change === 'entered'
          ? t('Your payout method was changed')
          : t('Your payout method was removed')
      }
    >
      <Stack>
        <FactList
          facts={[
            [t('Publisher'), publisher],
            [
              change.change === 'entered' ? t('New method') : t('Removed method'),
              `${methodName(kind)} ${hint}`,
            ],
            [t('Changed'), formatWhen(change.changedAt, 'viewer', 'minute')],
          ]}
        />
        <Text>{t('If this wasn’t you, undo the change:')}</Text>
        <Text component="ul" m={0} ps="lg">
          <li>{t('If you had another payout method before, it’s used again.')}</li>
          <li>{t('You’re signed out on all devices.')}</li>
          <li>{t('{publisher} pays you only after checking with you.', { publisher })}</li>
        </Text>
        {error !== null && <Failing error={error} title={t('The change wasn’t undone')} />}
        <Button size="md" color="red" loading={isBusy} onClick={() => void run(takeBack)}>
          {t('This wasn’t me')}
        </Button>
        <Text size="sm" c="dimmed">
          {t('If it was you, you can close this page.')}
        </Text>
      </Stack>
    </CreatorPage>
  );
}

const TakenBack = ({ publisher }: { publisher: string }) => (
  <CreatorPage title={t('The change was undone')}>
    <Stack>
      <Text>
        {t(
          'Nothing will be paid to the other account. {publisher} holds your payouts until it has checked with you. Contact {publisher}, and say that someone else may have access to your sign-in.',
          { publisher },
        )}
      </Text>
      <Text>
        {t('Then change the password of your email account, because sign-in codes are sent there.')}
      </Text>
      <LinkButton to="/enter">{t('Sign in')}</LinkButton>
    </Stack>
  </CreatorPage>
);
