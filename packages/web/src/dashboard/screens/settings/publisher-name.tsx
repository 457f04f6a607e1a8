import { Code, Group, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { getSettings, putSettings } from '../../../client/sdk.gen.ts';
import type { Settings } from '../../../client/types.gen.ts';
import { Facts } from '../../../ui/facts.tsx';
import { refresh } from '../../../ui/refresh.ts';
import { t } from '../../../ui/text.ts';
import { toast } from '../../../ui/toast.ts';
import { useVersionedEdit } from '../../../ui/versioned-edit.ts';
import { SaveButton, VersionedForm } from '../../../ui/versioned-form.tsx';
import { meOptions, usePublisher } from '../../session/session.ts';
import { Section } from './section.tsx';

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
  const path = { publisherId };
  const edit = useVersionedEdit({
    thing: settings,
    fieldsOf: (saved) => ({ name: saved.name }),
    describe: ({ name }) => [[t('Name'), name.trim()]],
    read: ({ name }) => name.trim() || null,
    save: async (name, { version }) =>
      (await putSettings({ path, body: { version, name }, throwOnError: true })).data,
    readAgain: async () => (await getSettings({ path, throwOnError: true })).data,
    async onSaved({ name }, undo) {
      await refresh(queryClient, 'getSettings');
      await queryClient.invalidateQueries({ queryKey: meOptions.queryKey });
      toast(t('{before} renamed to {name}', { before: settings.name, name }), undo);
    },
  });
  const { name } = edit.fields;
  return (
    <VersionedForm edit={edit}>
      <TextInput
        label={t('Name')}
        description={t('Shown to your team and to creators.')}
        value={name}
        maxLength={255}
        maw={420}
        onChange={({ currentTarget: { value } }) => edit.change({ name: value })}
      />
      <Text size="sm" c="dimmed">
        {t('The ID can’t change:')} <Code>{settings.publisherId}</Code>
      </Text>
      <Group>
        <SaveButton edit={edit} disabled={edit.input === null} />
      </Group>
    </VersionedForm>
  );
}
