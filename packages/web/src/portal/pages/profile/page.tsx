import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../../ui/text.ts';
import { accountsQuery, usePublisher } from '../../publisher.ts';
import { YouPage } from '../../you-page.tsx';
import { Display } from './display.tsx';
import { NameForm } from './name-form.tsx';

/** The creator's name at the publisher, and how this browser shows the portal. */
export function Page() {
  const { publisherId } = usePublisher();
  const { data } = useQuery(accountsQuery);
  const here = (data?.rows ?? []).filter(({ publishers }) =>
    publishers.some((each) => each.publisherId === publisherId),
  );
  return (
    <YouPage title={t('Profile')}>
      <Stack gap="xl">
        {here.length > 0 && <NameForm key={publisherId} accounts={here} />}
        <Display />
      </Stack>
    </YouPage>
  );
}
