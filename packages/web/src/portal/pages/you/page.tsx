import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getSessionOptions } from '../../../client/portal/@tanstack/react-query.gen.ts';
import { signOut } from '../../../client/portal/sdk.gen.ts';
import { t } from '../../../ui/text.ts';
import { useAttempt } from '../../../ui/use-attempt.ts';
import { leave } from '../../api.ts';
import { CreatorPage } from '../../creator-page.tsx';
import { Failing } from '../../failing.tsx';
import { rememberPublisher } from '../../publisher.ts';
import { Skeletons } from '../../skeletons.tsx';
import { Accounts } from './accounts.tsx';
import { Sessions } from './sessions.tsx';
import classes from './you.module.css';

/** The person's address, accounts and sessions. */
export function Page() {
  const { data, error, refetch } = useQuery(getSessionOptions());
  return (
    <CreatorPage title={t('You')}>
      <Stack gap="xl">
        <section>
          <h2 className={classes.title}>{t('Email address')}</h2>
          {data !== undefined ? (
            <Text style={{ overflowWrap: 'anywhere' }}>{data.email}</Text>
          ) : error !== null ? (
            <Failing error={error} onRetry={() => void refetch()} />
          ) : (
            <Skeletons heights={[20]} />
          )}
          <Text size="sm" c="dimmed">
            {t('Sign-in codes are sent to this address.')}
          </Text>
        </section>
        <Accounts />
        <Sessions />
        <SignOut />
      </Stack>
    </CreatorPage>
  );
}

function SignOut() {
  const { error, isBusy, run } = useAttempt();
  const end = async (): Promise<void> => {
    await signOut({ throwOnError: true });
    rememberPublisher(null);
    leave();
  };
  return (
    <Stack gap="sm">
      {error !== null && <Failing error={error} title={t('You’re still signed in')} />}
      <Button variant="default" size="md" loading={isBusy} onClick={() => void run(end)}>
        {t('Sign out')}
      </Button>
    </Stack>
  );
}
