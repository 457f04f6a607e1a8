import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { changeEndpoint, createEndpoint, getEndpoint } from '../../../client/sdk.gen.ts';
import type { WebhookEndpoint, WebhookEndpointChanges } from '../../../client/types.gen.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { ShownOnce } from '../../../ui/shown-once.tsx';
import { t } from '../../../ui/text.ts';
import { toast } from '../../../ui/toast.ts';
import { useFieldErrors } from '../../../ui/use-field-errors.tsx';
import { areValid } from '../../../ui/use-form-errors.ts';
import { useVersionedEdit } from '../../../ui/versioned-edit.ts';
import { SaveButton, VersionedForm } from '../../../ui/versioned-form.tsx';
import { usePublisher } from '../../session/session.ts';
import { useReloadWebhooks } from './use-endpoints.ts';
import { kindName } from './words.ts';

interface EndpointFormProps {
  opened: boolean;
  onClose(): void;
  kinds: readonly string[];
  /** Endpoint to edit; null for a new one. */
  endpoint: WebhookEndpoint | null;
}

const isWebUrl = (url: string): boolean => URL.canParse(url) && /^https?:\/\//i.test(url);

type Events = NonNullable<WebhookEndpointChanges['events']>;

/** Events preselected for a new endpoint. */
const defaultEvents = ['Bounty/BountyReward', 'GroupManagement/NewMember', 'GroupManagement/RemovedMember'];

/** Dialog that edits an endpoint, or adds one and then shows its secret once. */
export function EndpointForm(props: EndpointFormProps) {
  const { publisherId } = usePublisher();
  const navigate = useNavigate();
  const [created, setCreated] = useState<{ secret: string; endpointId: string } | null>(null);
  return (
    <>
      <Dialog
        opened={props.opened}
        onClose={props.onClose}
        title={props.endpoint === null ? t('Add endpoint') : t('Edit endpoint')}
        size="lg"
      >
        {props.opened && <Fields {...props} onCreated={setCreated} />}
      </Dialog>
      <ShownOnce
        title={t('Endpoint secret')}
        secret={created?.secret ?? null}
        onClose={(how) => {
          if (created !== null && how === 'saved')
            void navigate({
              to: `/p/$publisherId/webhooks/${created.endpointId}`,
              params: { publisherId } as never,
            });
          setCreated(null);
        }}
      >
        {t(
          'Your server verifies each request with this secret. Next, send a test and check your server’s response.',
        )}
      </ShownOnce>
    </>
  );
}

interface Values {
  url: string;
  events: readonly string[];
}

interface FieldsProps extends EndpointFormProps {
  onCreated(created: { secret: string; endpointId: string }): void;
}

function Fields({ endpoint, kinds, onClose, onCreated }: FieldsProps) {
  const { publisherId } = usePublisher();
  const reload = useReloadWebhooks();
  const problems = ({ url, events }: Values) => ({
    url: isWebUrl(url.trim()) ? null : t('Enter a URL, such as https://game.example/webhooks.'),
    events: events.length === 0 ? t('Choose at least one event.') : null,
  });
  const edit = useVersionedEdit({
    thing: endpoint,
    fieldsOf: (saved): Values => ({ url: saved?.url ?? '', events: saved?.events ?? defaultEvents }),
    describe: ({ url, events }) => [
      [t('URL'), url.trim()],
      [t('Events'), events.map(kindName).sort().join(', ')],
    ],
    comparable: ({ url, events }) => ({ url, events: [...events].sort() }),
    read: (values) =>
      areValid(problems(values)) ? { url: values.url.trim(), events: values.events as Events } : null,
    async save(body, over) {
      if (over === null) {
        const { data } = await createEndpoint({ path: { publisherId }, body, throwOnError: true });
        warn(data.warning);
        onCreated(data);
        return null;
      }
      const { data } = await changeEndpoint({
        path: { publisherId, endpointId: over.endpointId },
        body: { ...body, version: over.version },
        throwOnError: true,
      });
      warn(data.warning);
      return data.endpoint;
    },
    async readAgain() {
      const endpointId = endpoint?.endpointId ?? '';
      return (await getEndpoint({ path: { publisherId, endpointId }, throwOnError: true })).data;
    },
    async onSaved(saved) {
      if (saved !== null) toast(t('Endpoint {url} changed', { url: saved.url }));
      onClose();
      await reload();
    },
  });
  const { url, events } = edit.fields;
  const { errors, check, notice } = useFieldErrors(problems(edit.fields), edit.error);
  return (
    <VersionedForm edit={edit} check={check} notice={notice}>
      <TextInput
        label={t('URL')}
        description={t('Receives POST requests and must respond with status 200 within 15 seconds.')}
        placeholder={t('For example {example}', { example: 'https://game.example/webhooks' })}
        type="url"
        name="url"
        required
        data-autofocus
        value={url}
        error={errors.url}
        onChange={({ currentTarget: { value } }) => edit.change({ url: value })}
      />
      <Checkbox.Group
        label={t('Events')}
        description={t('Only new events are sent.')}
        value={[...events]}
        error={errors.events}
        onChange={(chosen) => edit.change({ events: chosen })}
      >
        <Stack gap={6} mt="xs">
          {kinds.map((kind) => (
            <Checkbox key={kind} name="events" value={kind} label={kindName(kind)} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('Cancel')}
        </Button>
        <SaveButton edit={edit}>{endpoint === null ? t('Add endpoint') : t('Save')}</SaveButton>
      </Group>
    </VersionedForm>
  );
}

function warn(warning: string | null): void {
  if (warning !== null)
    notifications.show({
      color: 'yellow',
      message: t('Saved. {warning}', { warning }),
      autoClose: 15_000,
      closeButtonProps: { 'aria-label': t('Close') },
    });
}
