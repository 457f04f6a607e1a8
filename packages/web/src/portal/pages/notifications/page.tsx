import { Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import {
  getNotificationsOptions,
  getNotificationsQueryKey,
} from '../../../client/portal/@tanstack/react-query.gen.ts';
import { turnNotification } from '../../../client/portal/sdk.gen.ts';
import type { NotificationChoice } from '../../../client/portal/types.gen.ts';
import { announce } from '../../../ui/announce.tsx';
import { t } from '../../../ui/text.ts';
import { useAttempt } from '../../../ui/use-attempt.ts';
import { Failing } from '../../failing.tsx';
import { Skeletons } from '../../skeletons.tsx';
import { subjectWords } from '../../subject-words.ts';
import { YouPage } from '../../you-page.tsx';
import classes from './notifications.module.css';

/** Page with the subjects of emails, each of which can be turned on and off. */
export function Page() {
  const { data, error, refetch } = useQuery(getNotificationsOptions());
  return (
    <YouPage title={t('Notifications')}>
      {data !== undefined ? (
        <Stack>
          <Text style={{ overflowWrap: 'anywhere' }}>
            {t('Emails are sent to {email}. What you choose here applies to all of your publishers.', {
              email: data.email,
            })}
          </Text>
          <ul className={classes.subjects}>
            {data.subjects.map((each) => (
              <Subject key={each.subject} {...each} />
            ))}
          </ul>
          <Text size="sm" c="dimmed">
            {t(
              'Emails with codes or about changes to your payout method protect your account, so they can’t be turned off.',
            )}
          </Text>
        </Stack>
      ) : error !== null ? (
        <Failing error={error} title={t('Couldn’t load your notifications')} onRetry={() => void refetch()} />
      ) : (
        <Skeletons heights={[44, 64, 64, 64, 64]} />
      )}
    </YouPage>
  );
}

function Subject({ subject, isOn }: NotificationChoice) {
  const id = useId();
  const client = useQueryClient();
  const { error, isBusy, run } = useAttempt();
  const { name, about } = subjectWords(subject);
  const turn = async (): Promise<void> => {
    const { data } = await turnNotification({ body: { subject, isOn: !isOn }, throwOnError: true });
    client.setQueryData(getNotificationsQueryKey(), data);
    announce(isOn ? t('{subject}: off', { subject: name }) : t('{subject}: on', { subject: name }));
  };
  return (
    <li>
      <label>
        <span className={classes.words}>
          <span className={classes.name} id={`${id}-name`}>
            {name}
          </span>
          <span className={classes.about} id={`${id}-about`}>
            {about}
          </span>
        </span>
        <input
          type="checkbox"
          role="switch"
          aria-checked={isOn}
          className={classes.switch}
          aria-labelledby={`${id}-name`}
          aria-describedby={`${id}-about`}
          aria-busy={isBusy}
          checked={isOn}
          onChange={() => {
            if (!isBusy) void run(turn);
          }}
        />
      </label>
      {error !== null && <Failing error={error} title={t('Nothing was changed')} />}
    </li>
  );
}
