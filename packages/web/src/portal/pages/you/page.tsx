import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getSessionOptions } from '../../../client/portal/@tanstack/react-query.gen.ts';
import { signOut } from '../../../client/portal/sdk.gen.ts';
import { t } from '../../../ui/text.ts';
import { useAttempt } from '../../../ui/use-attempt.ts';
import { leave } from '../../api.ts';
import { CreatorPage } from '../../creator-page.tsx';
import { Failing } from '../../failing.tsx';
import { LinkButton } from '../../link-button.tsx';
import { accountsQuery, rememberPublisher } from '../../publisher.ts';
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
          <Text size="sm" c="dimmed" mb="xs">
            {t('Codes that confirm changes are sent to this address.')}
          </Text>
          <LinkButton to="/emails" variant="default">
            {t('Open email addresses')}
          </LinkButton>
        </section>
        <section>
          <h2 className={classes.title}>{t('Sign-in')}</h2>
          <Text size="sm" c="dimmed" mb="xs">
            {t('Add a passkey or another way to sign in.')}
          </Text>
          <LinkButton to="/sign-in" variant="default">
            {t('Open sign-in')}
          </LinkButton>
        </section>
        <Profile />
        <PayoutMethod />
        <section>
          <h2 className={classes.title}>{t('Notifications')}</h2>
          <Text size="sm" c="dimmed" mb="xs">
            {t('Choose which emails you get.')}
          </Text>
          <LinkButton to="/notifications" variant="default">
            {t('Open notifications')}
          </LinkButton>
        </section>
        <Accounts />
        <StreamAlert />
        <Sessions />
        <section>
          <h2 className={classes.title}>{t('Data and erasure')}</h2>
          <Text size="sm" c="dimmed" mb="xs">
            {t('Download what is stored about you, or have it erased.')}
          </Text>
          <LinkButton to="/your-data" variant="default">
            {t('Open your data')}
          </LinkButton>
        </section>
        <SignOut />
      </Stack>
    </CreatorPage>
  );
}

/** Link to the name at the chosen publisher, and to how times are shown. */
function Profile() {
  const { data } = useQuery(accountsQuery);
  if (!data?.rows.some(({ publishers }) => publishers.length > 0)) return null;
  return (
    <section>
      <h2 className={classes.title}>{t('Profile')}</h2>
      <Stack gap="sm" align="flex-start">
        <Text size="sm" c="dimmed">
          {t('Your name and time zone.')}
        </Text>
        <LinkButton to="/profile" variant="default">
          {t('Open profile')}
        </LinkButton>
      </Stack>
    </section>
  );
}

/** Link to where the chosen publisher pays. */
function PayoutMethod() {
  const { data } = useQuery(accountsQuery);
  if (!data?.rows.some(({ publishers }) => publishers.length > 0)) return null;
  return (
    <section>
      <h2 className={classes.title}>{t('Payout method')}</h2>
      <Stack gap="sm" align="flex-start">
        <Text size="sm" c="dimmed">
          {t('The PayPal, Wise, or bank account you’re paid to.')}
        </Text>
        <LinkButton to="/payout-method" variant="default">
          {t('Open payout method')}
        </LinkButton>
      </Stack>
    </section>
  );
}

/** Link to the overlay that shows purchases on a stream. */
function StreamAlert() {
  const { data } = useQuery(accountsQuery);
  if (!data?.rows.some(({ publishers }) => publishers.length > 0)) return null;
  return (
    <section>
      <h2 className={classes.title}>{t('Stream alert')}</h2>
      <Stack gap="sm" align="flex-start">
        <Text size="sm" c="dimmed">
          {t('Show purchases with your code on your stream.')}
        </Text>
        <LinkButton to="/stream-alert" variant="default">
          {t('Open stream alert')}
        </LinkButton>
      </Stack>
    </section>
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
