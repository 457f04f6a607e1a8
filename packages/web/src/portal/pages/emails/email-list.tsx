import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listEmailsOptions } from '../../../client/portal/@tanstack/react-query.gen.ts';
import { requestEmailRemovalCode } from '../../../client/portal/sdk.gen.ts';
import { t } from '../../../ui/text.ts';
import { useAttempt } from '../../../ui/use-attempt.ts';
import { formatWhen } from '../../../ui/when.tsx';
import { Failing } from '../../failing.tsx';
import { LinkButton } from '../../link-button.tsx';
import { Skeletons } from '../../skeletons.tsx';
import { YouPage } from '../../you-page.tsx';
import classes from './emails.module.css';

/** Lists the person's addresses. Removing one begins with an emailed code. */
export function EmailList({ onRemove }: { onRemove(email: string): void }) {
  const { data, error, refetch } = useQuery(listEmailsOptions());
  const asking = useAttempt();
  const ask = (email: string): void =>
    void asking.run(async () => {
      await requestEmailRemovalCode({ body: { email }, throwOnError: true });
      onRemove(email);
    });
  return (
    <YouPage title={t('Email addresses')}>
      {data !== undefined ? (
        <Stack>
          <Text>
            {t(
              'You can sign in with each of these addresses. If your payout method changes, all of them get an email.',
            )}
          </Text>
          {asking.error !== null && <Failing error={asking.error} title={t('That didn’t work')} />}
          <ul className={classes.rows}>
            <li>
              <div>
                <p className={classes.email}>{data.email}</p>
                <p className={classes.facts}>
                  {t('Gets the codes that confirm changes, and can’t be removed.')}
                </p>
              </div>
            </li>
            {data.further.map(({ email, addedAt }) => (
              <li key={email}>
                <div>
                  <p className={classes.email}>{email}</p>
                  <p className={classes.facts}>
                    {t('Added {when}', { when: formatWhen(addedAt, 'viewer', 'day') })}
                  </p>
                </div>
                <Button
                  variant="default"
                  size="md"
                  loading={asking.isBusy}
                  aria-label={t('Remove {email}', { email })}
                  onClick={() => ask(email)}
                >
                  {t('Remove')}
                </Button>
              </li>
            ))}
          </ul>
          {data.further.length < data.maxFurther ? (
            <LinkButton to="/emails/new">{t('Add an address')}</LinkButton>
          ) : (
            <Text size="sm" c="dimmed">
              {t('You can’t add more addresses. Remove one first.')}
            </Text>
          )}
        </Stack>
      ) : error !== null ? (
        <Failing
          error={error}
          title={t('Couldn’t load your email addresses')}
          onRetry={() => void refetch()}
        />
      ) : (
        <Skeletons heights={[44, 64, 64, 44]} />
      )}
    </YouPage>
  );
}
