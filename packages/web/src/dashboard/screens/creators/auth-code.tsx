import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { issueAuthCodeOfCreatorMutation } from '../../../client/@tanstack/react-query.gen.ts';
import type { Creator } from '../../../client/types.gen.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { t } from '../../../ui/text.ts';
import { When } from '../../../ui/when.tsx';
import { usePublisher } from '../../session/session.ts';
import classes from './creators.module.css';
import { useRefresh } from './use-creators.ts';

/** An auth code for a creator: shown once, with the time that it has left. It is kept nowhere but on this page. */
export function AuthCode({ creator }: { creator: Creator }) {
  const { publisherId, may } = usePublisher();
  const refresh = useRefresh();
  const issue = useMutation({ ...issueAuthCodeOfCreatorMutation(), onSuccess: refresh, gcTime: 0 });
  const { mayIssue, goodUntil } = creator.authCode;
  if (!mayIssue)
    return (
      <Text size="sm" c="dimmed">
        {t('{name} has an account of their own, and gets auth codes there.', { name: creator.name })}
      </Text>
    );
  return (
    <Stack gap="xs">
      {issue.data === undefined ? (
        <Text size="sm">
          {goodUntil === null ? (
            t('With it this creator links a player, or claims what you made for them.')
          ) : (
            <>
              {t('One was issued, and is good until')} <When at={goodUntil} />.{' '}
              {t('It cannot be shown again; a new one takes its place.')}
            </>
          )}
        </Text>
      ) : (
        <Issued authCode={issue.data.authCode} expiresAt={issue.data.expiresAt} />
      )}
      {issue.error !== null && <ErrorNotice error={issue.error} />}
      {may('auth-codes') && (
        <Group>
          <Button
            variant="default"
            leftSection={<Icon name="key" size={16} />}
            loading={issue.isPending}
            onClick={() => issue.mutate({ path: { publisherId, memberId: creator.memberId } })}
          >
            {issue.data === undefined ? t('Issue an auth code') : t('Issue another')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function Issued({ authCode, expiresAt }: { authCode: string; expiresAt: string }) {
  const leftSeconds = useSecondsUntil(expiresAt);
  if (leftSeconds <= 0)
    return (
      <Alert color="yellow" icon={<Icon name="pending" />} title={t('This auth code is over')}>
        {t('It was good for 30 minutes. Issue another one.')}
      </Alert>
    );
  const minutes = Math.floor(leftSeconds / 60);
  const seconds = String(leftSeconds % 60).padStart(2, '0');
  return (
    <Alert color="blue" icon={<Icon name="key" />} title={t('Shown this once')}>
      <Group gap="sm" align="center">
        <span className={classes.authCode}>{authCode}</span>
        <CopyButton value={authCode} label={t('Copy the auth code')} withLabel />
      </Group>
      <Text size="sm" mt={4}>
        {t('Good for')} <span className={classes.figures}>{`${minutes}:${seconds}`}</span>
        {t(', once. Give it to the creator alone.')}
      </Text>
    </Alert>
  );
}

function useSecondsUntil(at: string): number {
  const left = (): number =>
    Math.max(0, Math.round((new Date(at).getTime() - (performance.timeOrigin + performance.now())) / 1_000));
  const [seconds, setSeconds] = useState(left);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it depends on the moment alone
  useEffect(() => {
    const timer = setInterval(() => setSeconds(left()), 1_000);
    return () => clearInterval(timer);
  }, [at]);
  return seconds;
}
