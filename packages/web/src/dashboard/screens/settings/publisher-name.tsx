import { Code, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { getSettings, putSettings } from '../../../client/sdk.gen.ts';
import type { Settings } from '../../../client/types.gen.ts';
import { Facts } from '../../../ui/facts.tsx';
import { refresh } from '../../../ui/refresh.ts';
import { t } from '../../../ui/text.ts';
import { meOptions, usePublisher } from '../../session/session.ts';
import { Section } from './section.tsx';
import { VersionedForm } from './versioned-form.tsx';

/** Setting for the publisher's name. */
export function PublisherName({ settings }: { settings: Settings }) {
  const { may } = usePublisher();
  return (
    <Section title={t('Publisher')}>
      {may('team') ? (
        <NameForm settings={settings} />
      ) : (
        <Facts
          facts={[
            [t('Name'), settings.name],
            [t('ID'), <Code key="id">{settings.publisherId}</Code>],
          ]}
        />
      )}
    </Section>
  );
}

function NameForm({ settings }: { settings: Settings }) {
  const { publisherId } = usePublisher();
  const queryClient = useQueryClient();
  const [name, setName] = useState(settings.name);
  return (
    <VersionedForm
      thing={settings}
      isChanged={name.trim() !== '' && name.trim() !== settings.name}
      save={(version) =>
        putSettings({ path: { publisherId }, body: { version, name: name.trim() }, throwOnError: true })
      }
      readAgain={async () => (await getSettings({ path: { publisherId }, throwOnError: true })).data}
      summary={(saved) => saved.name}
      onSaved={async () => {
        await refresh(queryClient, 'getSettings');
        await queryClient.invalidateQueries({ queryKey: meOptions.queryKey });
      }}
    >
      <TextInput
        label={t('Name')}
        description={t('Shown to your team and to creators.')}
        value={name}
        maxLength={255}
        maw={420}
        onChange={({ currentTarget: { value } }) => setName(value)}
      />
      <Text size="sm" c="dimmed">
        {t('The ID can’t change:')} <Code>{settings.publisherId}</Code>
      </Text>
    </VersionedForm>
  );
}
