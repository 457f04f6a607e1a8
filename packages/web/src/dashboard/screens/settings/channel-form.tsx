import { Button, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { changeChannel, createChannel, getChannel } from '../../../client/sdk.gen.ts';
import type { Channel } from '../../../client/types.gen.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { refresh } from '../../../ui/refresh.ts';
import { t } from '../../../ui/text.ts';
import { toast } from '../../../ui/toast.ts';
import { areValid, nameError, useFormErrors } from '../../../ui/use-form-errors.ts';
import { useVersionedEdit } from '../../../ui/versioned-edit.ts';
import { SaveButton, VersionedForm } from '../../../ui/versioned-form.tsx';
import { ChoiceFields } from '../../notifications/choice-fields.tsx';
import {
  type Choice,
  choiceOf,
  type DigestSubject,
  describeChoice,
  digestWords,
  type ImmediateSubject,
  immediateWords,
  ownZone,
  sorted,
} from '../../notifications/subjects.ts';
import { usePublisher } from '../../session/session.ts';

interface ChannelFormProps {
  opened: boolean;
  onClose(): void;
  /** Channel to edit; null for a new one. */
  channel: Channel | null;
}

type Kind = Channel['kind'];

const addresses: Readonly<Record<Kind, string>> = {
  slack: 'https://hooks.slack.com/services/…',
  discord: 'https://discord.com/api/webhooks/…',
};

/** A channel has no role, so it can receive every subject. */
const allDigests = Object.keys(digestWords) as DigestSubject[];
const allImmediate = Object.keys(immediateWords) as ImmediateSubject[];

/** Dialog that adds or edits a channel. The address is never shown again. */
export const ChannelForm = (props: ChannelFormProps) => (
  <Dialog
    opened={props.opened}
    onClose={props.onClose}
    title={props.channel === null ? t('Add channel') : t('Edit channel')}
    size="lg"
  >
    {props.opened && <Fields {...props} />}
  </Dialog>
);

interface Values {
  kind: Kind;
  name: string;
  url: string;
  choice: Choice;
}

const newChannel = (): Values => ({
  kind: 'slack',
  name: '',
  url: '',
  choice: { timeZone: ownZone(), hour: 9, daily: [], weekly: ['money'], immediate: allImmediate },
});

function Fields({ channel, onClose }: ChannelFormProps) {
  const { publisherId } = usePublisher();
  const queryClient = useQueryClient();
  const problems = ({ name, url }: Values) => ({
    name: nameError(name),
    url:
      channel !== null && url.trim() === ''
        ? null
        : URL.canParse(url.trim())
          ? null
          : t('Paste the incoming webhook URL.'),
  });
  const edit = useVersionedEdit({
    thing: channel,
    fieldsOf: (saved): Values =>
      saved === null
        ? newChannel()
        : { kind: saved.kind, name: saved.name, url: '', choice: choiceOf(saved) },
    describe: ({ name, url, choice }) => [
      [t('Name'), name.trim()],
      [t('Address'), url === '' ? t('Unchanged') : t('Changed')],
      ...describeChoice(choice),
    ],
    comparable: ({ kind, name, url, choice }) => ({ kind, name, url, choice: sorted(choice) }),
    read: (values) => (areValid(problems(values)) ? values : null),
    async save({ kind, name, url, choice }, over) {
      const body = { name: name.trim(), ...choice };
      const address = url.trim();
      if (over === null)
        await createChannel({
          path: { publisherId },
          body: { ...body, kind, url: address },
          throwOnError: true,
        });
      else
        await changeChannel({
          path: { publisherId, channelId: over.channelId },
          body: { ...body, version: over.version, ...(address !== '' && { url: address }) },
          throwOnError: true,
        });
      return null;
    },
    async readAgain() {
      const channelId = channel?.channelId ?? '';
      return (await getChannel({ path: { publisherId, channelId }, throwOnError: true })).data;
    },
    async onSaved() {
      onClose();
      await refresh(queryClient, 'listChannels', 'getAttention');
      toast(t('Channel saved. Send a test to check it.'));
    },
  });
  const { kind, name, url, choice } = edit.fields;
  const { errors, check } = useFormErrors(problems(edit.fields));
  return (
    <VersionedForm edit={edit} check={check}>
      {channel === null && (
        <SegmentedControl
          aria-label={t('Service')}
          data={[
            { value: 'slack', label: 'Slack' },
            { value: 'discord', label: 'Discord' },
          ]}
          value={kind}
          onChange={(value) => edit.change({ kind: value as Kind })}
        />
      )}
      <TextInput
        label={t('Name')}
        description={t('For your reference, such as the channel’s name.')}
        name="name"
        required
        maxLength={255}
        data-autofocus
        value={name}
        error={errors.name}
        onChange={({ currentTarget: { value } }) => edit.change({ name: value })}
      />
      <TextInput
        label={t('Incoming webhook URL')}
        description={
          channel === null
            ? kind === 'slack'
              ? t(
                  'In Slack, it’s in the app’s settings, under Incoming Webhooks. It is stored encrypted and never shown again.',
                )
              : t(
                  'In Discord, it’s in the channel’s settings, under Integrations › Webhooks. It is stored encrypted and never shown again.',
                )
            : t('Leave empty to keep {address}.', { address: channel.addressHint })
        }
        placeholder={addresses[kind]}
        type="url"
        name="url"
        required={channel === null}
        autoComplete="off"
        spellCheck={false}
        value={url}
        error={errors.url}
        onChange={({ currentTarget: { value } }) => edit.change({ url: value })}
      />
      <Stack gap={4}>
        <Text size="sm" c="dimmed">
          {t('Everyone in the channel sees the messages, regardless of their role here.')}
        </Text>
      </Stack>
      <ChoiceFields
        choice={choice}
        onChange={(changed) => edit.change({ choice: changed })}
        digestSubjects={allDigests}
        immediateSubjects={allImmediate}
        level={3}
      />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('Cancel')}
        </Button>
        <SaveButton edit={edit}>{channel === null ? t('Add channel') : t('Save')}</SaveButton>
      </Group>
    </VersionedForm>
  );
}
