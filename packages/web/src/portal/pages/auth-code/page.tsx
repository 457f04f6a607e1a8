import { Button, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { issueAuthCode } from '../../../client/portal/sdk.gen.ts';
import type { IssuedAuthCode } from '../../../client/portal/types.gen.ts';
import { announce } from '../../../ui/announce.tsx';
import { nowMs } from '../../../ui/clock.ts';
import { t } from '../../../ui/text.ts';
import { useAttempt } from '../../../ui/use-attempt.ts';
import { formatWhen } from '../../../ui/when.tsx';
import { CopyCode } from '../../copy-code.tsx';
import { Failing } from '../../failing.tsx';
import { usePublisher } from '../../publisher.ts';
import { YouPage } from '../../you-page.tsx';
import classes from './auth-code.module.css';

/** Page that shows a new auth code, with which a publisher or its game links a player to the creator's account. */
export function Page() {
  const { publisherId } = usePublisher();
  const [issued, setIssued] = useState<IssuedAuthCode | null>(null);
  const { error, isBusy, run } = useAttempt();
  const issue = async (): Promise<void> => {
    const { data } = await issueAuthCode({ query: { publisher: publisherId }, throwOnError: true });
    setIssued(data);
    announce(t('New code: {code}', { code: data.authCode }));
  };
  return (
    <YouPage title={t('Auth code')}>
      <Stack>
        <Text>
          {t(
            'A publisher or its game asks for this code to link you as a player to your creator account. Purchases made there with your code are then credited to you.',
          )}
        </Text>
        {issued !== null && <Code key={issued.authCode} issued={issued} />}
        {error !== null && <Failing error={error} title={t('No code was created')} />}
        <Button
          size="md"
          variant={issued === null ? 'filled' : 'default'}
          loading={isBusy}
          onClick={() => void run(issue)}
        >
          {issued === null ? t('Create auth code') : t('Create another code')}
        </Button>
        <Text size="sm" c="dimmed">
          {t(
            'Give it only to a publisher or game you trust: the code decides which player gets your account. A new code replaces the previous one.',
          )}
        </Text>
      </Stack>
    </YouPage>
  );
}

function Code({ issued: { accountName, authCode, expiresAt } }: { issued: IssuedAuthCode }) {
  const leftSeconds = useSecondsUntil(expiresAt);
  return (
    <div className={classes.card}>
      <p>{t('Code for {account}', { account: accountName })}</p>
      <p className={classes.code} dir="ltr" data-expired={leftSeconds === 0 || undefined}>
        {authCode}
      </p>
      {leftSeconds === 0 ? (
        <p role="status">{t('This code has expired.')}</p>
      ) : (
        <>
          <p>
            {t('Works once, until {time}', { time: formatWhen(expiresAt, 'viewer', 'time') })}{' '}
            <span aria-hidden="true">({minutesOf(leftSeconds)})</span>
          </p>
          <div className={classes.copy}>
            <CopyCode code={authCode} isMain />
          </div>
        </>
      )}
    </div>
  );
}

/** Returns the seconds until a time, and counts down to 0. */
function useSecondsUntil(time: string): number {
  const left = (): number => Math.max(0, Math.round((Date.parse(time) - nowMs()) / 1_000));
  const [seconds, setSeconds] = useState(left);
  useEffect(() => {
    const timer = setInterval(() => setSeconds(left()), 1_000);
    return () => clearInterval(timer);
  });
  return seconds;
}

const minutesOf = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
