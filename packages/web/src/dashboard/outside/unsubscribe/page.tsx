import { Alert, Anchor, Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Subscription } from '../../../client/types.gen.ts';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { linkToken } from '../../../ui/link-token.ts';
import { LateSkeleton } from '../../../ui/skeletons.tsx';
import { t } from '../../../ui/text.ts';
import { useAttempt } from '../../../ui/use-attempt.ts';
import { callAuth } from '../../session/auth.ts';
import { OutsideFrame } from '../outside-frame.tsx';

/** Page that an email's unsubscribe link opens. Turns off that kind of email without a sign-in. */
export function Page() {
  const [token] = useState(linkToken);
  const query = `token=${encodeURIComponent(token)}`;
  const { data, error, refetch } = useQuery({
    queryKey: ['subscription', token],
    queryFn: () => callAuth<Subscription>(`/auth/subscription?${query}`),
    retry: false,
  });
  const attempt = useAttempt();
  const turnOff = (): void =>
    void attempt.run(async () => {
      await callAuth(`/auth/unsubscribe?${query}`, {});
      await refetch();
    });
  return (
    <OutsideFrame title={t('Email notifications')}>
      <Stack>
        {error !== null && <ErrorNotice error={error} title={t('Couldn’t change your notifications')} />}
        {attempt.error !== null && (
          <ErrorNotice error={attempt.error} title={t('Couldn’t change your notifications')} />
        )}
        {data === undefined && error === null && <LateSkeleton lines={3} />}
        {data?.isOn === true && (
          <>
            <Text>{question(data)}</Text>
            <Button onClick={turnOff} loading={attempt.isBusy}>
              {buttonOf(data.kind)}
            </Button>
          </>
        )}
        {data?.isOn === false && (
          <Alert color="green" role="status" title={t('Turned off')}>
            {t('You no longer get these emails about {publisher}.', { publisher: data.publisherName })}
          </Alert>
        )}
        <Text size="sm">
          <Anchor size="sm" href="/account/notifications">
            {t('Manage all notifications')}
          </Anchor>{' '}
          {t('(sign-in required)')}
        </Text>
      </Stack>
    </OutsideFrame>
  );
}

function question({ kind, publisherName: publisher }: Subscription): string {
  if (kind === 'daily') return t('Turn off daily digests about {publisher}?', { publisher });
  if (kind === 'weekly') return t('Turn off weekly digests about {publisher}?', { publisher });
  return t('Turn off immediate notifications about {publisher}?', { publisher });
}

function buttonOf(kind: Subscription['kind']): string {
  if (kind === 'daily') return t('Turn off daily digests');
  if (kind === 'weekly') return t('Turn off weekly digests');
  return t('Turn off immediate notifications');
}
