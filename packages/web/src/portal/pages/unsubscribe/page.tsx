import { Alert, Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { getNotificationsQueryKey } from '../../../client/portal/@tanstack/react-query.gen.ts';
import { getSubscription, unsubscribe } from '../../../client/portal/sdk.gen.ts';
import type { Subscription } from '../../../client/portal/types.gen.ts';
import { Icon } from '../../../ui/icons.tsx';
import { linkToken } from '../../../ui/link-token.ts';
import { t } from '../../../ui/text.ts';
import { useAttempt } from '../../../ui/use-attempt.ts';
import { queryClient } from '../../api.ts';
import { CreatorPage } from '../../creator-page.tsx';
import { Failing } from '../../failing.tsx';
import { LinkButton } from '../../link-button.tsx';
import { Skeletons } from '../../skeletons.tsx';
import { subjectWords } from '../../subject-words.ts';

/** Page that the link in an email opens. Opening it changes nothing, because mail scanners also open links. */
export function Page() {
  const [token] = useState(linkToken);
  const [turnedOff, setTurnedOff] = useState<Subscription | null>(null);
  const read = useQuery({
    queryKey: ['subscription', token],
    queryFn: async () => (await getSubscription({ query: { token }, throwOnError: true })).data,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const { error, isBusy, run } = useAttempt();
  const turnOff = async (): Promise<void> => {
    const { data } = await unsubscribe({ query: { token }, body: {}, throwOnError: true });
    queryClient.removeQueries({ queryKey: getNotificationsQueryKey() });
    setTurnedOff(data);
  };
  const shown = turnedOff ?? read.data;
  if (shown === undefined)
    return read.error === null ? (
      <Skeletons heights={[32, 44, 44]} />
    ) : (
      <CreatorPage title={t('This link can’t be used')}>
        <Failing error={read.error} onRetry={() => void read.refetch()} />
      </CreatorPage>
    );
  const { name, about } = subjectWords(shown.subject);
  return (
    <CreatorPage title={t('Emails: {subject}', { subject: name })}>
      <Stack>
        {shown.isOn ? (
          <>
            <Text>{about}</Text>
            <Text>{t('Do you want to turn off these emails from all publishers?')}</Text>
            {error !== null && <Failing error={error} title={t('The emails are still on')} />}
            <Button size="md" loading={isBusy} onClick={() => void run(turnOff)}>
              {t('Turn off')}
            </Button>
          </>
        ) : (
          <Alert color="green" role="status" icon={<Icon name="info" />} title={t('Turned off')}>
            {t('You won’t get these emails from any publisher.')}
          </Alert>
        )}
        <LinkButton to="/notifications" variant="default">
          {t('See all notifications')}
        </LinkButton>
      </Stack>
    </CreatorPage>
  );
}
