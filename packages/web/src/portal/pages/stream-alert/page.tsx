import { Button, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  getStreamAlertOptions,
  getStreamAlertQueryKey,
} from '../../../client/portal/@tanstack/react-query.gen.ts';
import { createStreamAlertAddress, removeStreamAlert } from '../../../client/portal/sdk.gen.ts';
import type { StreamAlert } from '../../../client/portal/types.gen.ts';
import { announce } from '../../../ui/announce.tsx';
import { t } from '../../../ui/text.ts';
import { useAttempt } from '../../../ui/use-attempt.ts';
import { Failing } from '../../failing.tsx';
import { usePublisher } from '../../publisher.ts';
import { Skeletons } from '../../skeletons.tsx';
import { YouPage } from '../../you-page.tsx';
import { Address } from './address.tsx';
import { Connection } from './connection.tsx';
import { SettingsForm } from './settings-form.tsx';
import classes from './stream-alert.module.css';

/** Interval at which the page checks whether an overlay is open. */
const refreshMs = 10_000;

/** Page that creates the address of the stream alert's overlay, and tries and changes it. */
export function Page() {
  const { publisherId } = usePublisher();
  const { data, error, refetch } = useQuery({
    ...getStreamAlertOptions({ query: { publisher: publisherId } }),
    refetchInterval: refreshMs,
  });
  return (
    <YouPage title={t('Stream alert')}>
      {data !== undefined ? (
        <Shown key={publisherId} alert={data.alert} />
      ) : error !== null ? (
        <Failing error={error} title={t('Couldn’t load your stream alert')} onRetry={() => void refetch()} />
      ) : (
        <Skeletons heights={[72, 44]} />
      )}
    </YouPage>
  );
}

function Shown({ alert }: { alert: StreamAlert | null }) {
  const { publisherId } = usePublisher();
  const client = useQueryClient();
  const { error, isBusy, run } = useAttempt();
  /** Address that was just created. It can't be read again. */
  const [address, setAddress] = useState<string | null>(null);
  const query = { publisher: publisherId };
  const create = async (): Promise<void> => {
    const { data } = await createStreamAlertAddress({ query, body: {}, throwOnError: true });
    setAddress(data.address);
    await client.invalidateQueries({ queryKey: getStreamAlertQueryKey({ query }) });
    announce(t('Address created'));
  };
  const remove = async (): Promise<void> => {
    const { data } = await removeStreamAlert({ query, throwOnError: true });
    setAddress(null);
    client.setQueryData(getStreamAlertQueryKey({ query }), data);
    announce(t('Stream alert removed'));
  };
  return (
    <Stack gap="xl">
      <Text>
        {t(
          'Show purchases with your code on your stream, within two seconds. Buyers’ names and amounts aren’t shown.',
        )}
      </Text>
      {address !== null && <Address address={address} />}
      {error !== null && <Failing error={error} title={t('Nothing was changed')} />}
      {alert === null ? (
        <>
          <Text>
            {t('Create an address, and paste it into your streaming software, such as OBS Studio.')}
          </Text>
          <Button size="md" loading={isBusy} onClick={() => void run(create)}>
            {t('Create address')}
          </Button>
        </>
      ) : (
        <>
          <Connection alert={alert} />
          <SettingsForm alert={alert} />
          <section>
            <h2 className={classes.title}>{t('Address')}</h2>
            <Text size="sm" c="dimmed" mb="sm">
              {t(
                'Anyone with the address can see your purchases as they come in. If it was visible on your stream, or you lost it, create a new one. The old one stops working immediately.',
              )}
            </Text>
            <Stack gap="xs" align="flex-start">
              <Button size="md" variant="default" loading={isBusy} onClick={() => void run(create)}>
                {t('Create a new address')}
              </Button>
              <Button size="md" variant="default" disabled={isBusy} onClick={() => void run(remove)}>
                {t('Remove stream alert')}
              </Button>
            </Stack>
          </section>
        </>
      )}
    </Stack>
  );
}
