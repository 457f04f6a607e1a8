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

/** Issues an auth code for a creator and shows it once, with the remaining time. Only this component stores it. */
export function AuthCode({ creator }: { creator: Creator }) {
  const { publisherId, may } = usePublisher();
  const refresh = useRefresh();
  const issue = useMutation({ ...issueAuthCodeOfCreatorMutation(), onSuccess: refresh, gcTime: 0 });
  const { mayIssue, goodUntil } = creator.authCode;
  if (!mayIssue)
    return (
      <Text size="sm" c="dimmed">
        {t('{name} has their own account and gets auth codes there.', { name: creator.name })}
      </Text>
    );
  return (
    <Stack gap="xs">
      {issue.data === undefined ? (
        <Text size="sm">
          {goodUntil === null ? (
            t('With an auth code, the creator can link a player or claim the account you created.')
          ) : (
            <>
              {t('An auth code was issued. It’s valid until')} <When at={goodUntil} />.{' '}
              {t('It can’t be shown again. A new one replaces it.')}
            </>
          )}
        </Text>
      ) : (
        <Issued authCode={issue.data.authCode} expiresAt={issue.data.expiresAt} />
      )}
      {issue.error !== null && <ErrorNotice error={issue.error} title={t('Couldn’t issue an auth code')} />}
      {may('auth-codes') && (
        <Group>
          <Button
            variant="default"
            leftSection={<Icon name="key" size={16} />}
            loading={issue.isPending}
            onClick={() => issue.mutate({ path: { publisherId, memberId: creator.memberId } })}
          >
            {issue.data === undefined ? t('Issue auth code') : t('Issue another auth code')}
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
      <Alert color="yellow" icon={<Icon name="pending" />} title={t('This auth code expired')}>
        {t('It was valid for 30 minutes. Issue another one.')}
      </Alert>
    );
  const minutes = Math.floor(leftSeconds / 60);
  const seconds = String(leftSeconds % 60).padStart(2, '0');
  return (
    <Alert color="accent" icon={<Icon name="key" />} title={t('Shown only once')}>
      <Group gap="sm" align="center">
        <span className={classes.authCode}>{authCode}</span>
        <CopyButton value={authCode} label={t('Copy auth code')} withLabel />
      </Group>
      <Text size="sm" mt={4}>
        {t('Expires in')} <span className={classes.figures}>{`${minutes}:${seconds}`}</span>
        {t('. It works once. Give it only to the creator.')}
      </Text>
    </Alert>
  );
}

function useSecondsUntil(at: string): number {
  const left = (): number =>
    Math.max(0, Math.round((new Date(at).getTime() - (performance.timeOrigin + performance.now())) / 1_000));
  const [seconds, setSeconds] = useState(left);
  // biome-ignore lint/correctness/useExhaustiveDependencies: depends only on the time
  useEffect(() => {
    const timer = setInterval(() => setSeconds(left()), 1_000);
    return () => clearInterval(timer);
  }, [at]);
  return seconds;
}
